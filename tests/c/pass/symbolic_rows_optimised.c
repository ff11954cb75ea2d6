// function: relax
// sizes: m=6 n=16; m=9 n=24
// flags: --registers optimized
// Rows of a variable length, as an optimiser leaves them.
void relax(int m, int n, double a[restrict m][n], double b[restrict m][n]) {
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];
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
  void *a = zeros(m * n * sizeof(double)), *b = zeros(m * n * sizeof(double));
  trace_start();
  relax(m, n, a, b);
  trace_stop();
  return 0;
}
#endif
