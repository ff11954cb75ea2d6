// function: matmul_ikj
// sizes: n=16 m=8 p=24; n=32 m=40 p=16
// Rectangular matrices in flat arrays with a row pointer each, in the order i, k, j.
#include <stddef.h>

void matmul_ikj(size_t n, size_t m, size_t p, const double *A, const double *B, double *C) {
  for (size_t i = 0; i < n; i++) {
    double *c = &C[i * p];
    for (size_t j = 0; j < p; j++)
      c[j] = 0.0;
    for (size_t k = 0; k < m; k++) {
      const double a = A[i * m + k];
      const double *b = &B[k * p];
      for (size_t j = 0; j < p; j++)
        c[j] += a * b[j];
    }
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  long p = atol(argv[3]);
  double *A = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *B = aligned_alloc(64, ((m * p) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * p); i++) B[i] = (i * 7 + 3) % 11 + 1;
  double *C = aligned_alloc(64, ((n * p) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * p); i++) C[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  matmul_ikj(n, m, p, A, B, C);
  trace_stop();
  free(A);
  free(B);
  free(C);
  return 0;
}
#endif
