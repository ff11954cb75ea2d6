// function: matvec_twice
// sizes: n=16; n=48
// A temporary vector from the heap, freed at the end.
#include <stdlib.h>

#ifdef TRACED // the traced program puts every array at the start of a line
#define malloc(bytes) aligned_alloc(64, ((bytes) + 63) / 64 * 64)
#endif

void matvec_twice(int n, double A[n][n], const double *x, double *y) {
  double *t = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    t[i] = 0.0;
    for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
  }
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int j = 0; j < n; j++)
      y[i] += A[i][j] * t[j];
  }
  free(t);
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
  matvec_twice(n, (void *)A, x, y);
  trace_stop();
  free(A);
  free(x);
  free(y);
  return 0;
}
#endif
