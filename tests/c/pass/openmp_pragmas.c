// function: parallel_norm
// sizes: n=16 m=24; n=40 m=64
// Pragmas for OpenMP and for the optimiser, which the program is compiled without.
double parallel_norm(int n, int m, double A[n][m]) {
  double s = 0.0;
#pragma omp parallel for reduction(+ : s) schedule(static)
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      s += A[i][j] * A[i][j];
  }
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] /= s;
  return s;
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
  trace_start();
  parallel_norm(n, m, (void *)A);
  trace_stop();
  free(A);
  return 0;
}
#endif
