// function: symv
// sizes: n=16; n=56
// Only the lower triangle is read and used twice, with a write in the middle of the reduction.
void symv(int n, double A[n][n], const double x[n], double y[n]) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < i; j++) {
      y[j] += A[i][j] * x[i];
      s += A[i][j] * x[j];
    }
    y[i] += s + A[i][i] * x[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  symv(n, (void *)A, x, y);
  trace_stop();
  free(A);
  free(x);
  free(y);
  return 0;
}
#endif
