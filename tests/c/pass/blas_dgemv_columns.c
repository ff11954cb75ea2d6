// function: dgemv
// sizes: m=16 n=24; m=64 n=10
// Column-major matrix times vector, one column after the other, with an early return for empty input.
void dgemv(int m, int n, double alpha, const double *a, const double *x, double *y) {
  if (m <= 0 || n <= 0) return;
  for (int i = 0; i < m; i++)
    y[i] = 0.0;
  for (int j = 0; j < n; j++) {
    const double t = alpha * x[j];
    for (int i = 0; i < m; i++)
      y[i] += t * a[i + j * m];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long m = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = aligned_alloc(64, ((m * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * n); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  dgemv(m, n, 2.0, a, x, y);
  trace_stop();
  free(a);
  free(x);
  free(y);
  return 0;
}
#endif
