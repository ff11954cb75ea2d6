// function: matmul
// sizes: n=16; n=32
// Arrays of variable length as parameters, the textbook matrix product.
// The product is accumulated in memory, so C[i][j] is read and written in each step.
void matmul(int n, double A[n][n], double B[n][n], double C[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
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
  double *B = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) B[i] = (i * 7 + 3) % 11 + 1;
  double *C = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) C[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  matmul(n, (void *)A, (void *)B, (void *)C);
  trace_stop();
  free(A);
  free(B);
  free(C);
  return 0;
}
#endif
