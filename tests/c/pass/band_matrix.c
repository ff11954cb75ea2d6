// function: band_matvec
// sizes: n=16 w=2; n=40 w=50
// Bounds with the usual macros for minimum and maximum; the band may be wider than the matrix.
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void band_matvec(int n, int w, double A[n][n], const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int j = MAX(0, i - w); j <= MIN(n - 1, i + w); j++)
      s += A[i][j] * x[j];
    y[i] = s;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long w = atol(argv[2]);
  double *A = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  band_matvec(n, w, (void *)A, x, y);
  trace_stop();
  free(A);
  free(x);
  free(y);
  return 0;
}
#endif
