// function: atax
// sizes: n=16 m=24; n=64 m=32
// Several nests one after the other with straight code between them.
double atax(int n, int m, double A[n][m], const double *x, double *y, double *t) {
  for (int j = 0; j < m; j++)
    y[j] = 0.0;
  y[0] = 1.0;
  double first = A[0][0];
  for (int i = 0; i < n; i++) {
    t[i] = 0.0;
    for (int j = 0; j < m; j++)
      t[i] += A[i][j] * x[j];
  }
  t[n - 1] *= first;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[j] += A[i][j] * t[i];
  return y[0] + y[m - 1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *A = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) y[i] = (i * 7 + 3) % 11 + 1;
  double *t = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) t[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  atax(n, m, (void *)A, x, y, t);
  trace_stop();
  free(A);
  free(x);
  free(y);
  free(t);
  return 0;
}
#endif
