// function: vertical
// sizes: m=7 n=16; m=5 n=24
// A pointer to a row of n elements goes into the rows before and behind it by multiples of n.
void vertical(int m, int n, double *a, const double *b) {
  for (int i = 1; i < m - 2; i++) {
    const double *row = b + i * n;
    double *to = a + i * n;
    for (int j = 0; j < n; j++)
      to[j] = row[j] + row[j - n] + row[j + n] + row[j + 2 * n];
    to[n - 1] += row[-1] + row[n];
  }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long m = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = zeros(m * n * sizeof(double)), *b = zeros(m * n * sizeof(double));
  trace_start();
  vertical(m, n, a, b);
  trace_stop();
  return 0;
}
#endif
