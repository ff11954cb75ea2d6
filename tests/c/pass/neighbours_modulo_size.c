// function: ring
// sizes: n=16 m=24; n=7 m=8
// Neighbours on a torus: (i + 1) % n and (i - 1 + n) % n.
void ring(int n, int m, double a[n][m], double b[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = a[(i + 1) % n][j] + a[(i - 1 + n) % n][j] + a[i][(j + 1) % m] + a[i][(j + m - 1) % m];
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
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  void *a = zeros(n * m * sizeof(double)), *b = zeros(n * m * sizeof(double));
  trace_start();
  ring(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
