// function: batched_matmul
// sizes: b=2 n=16; b=5 n=24
// Products of many matrices, each at its place in an array of three dimensions.
void batched_matmul(int b, int n, double A[b][n][n], double B[b][n][n], double C[b][n][n]) {
  for (int q = 0; q < b; q++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k < n; k++)
          s += A[q][i][k] * B[q][k][j];
        C[q][i][j] = s;
      }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long b = atol(argv[1]);
  long n = atol(argv[2]);
  double *A = aligned_alloc(64, ((b * n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (b * n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *B = aligned_alloc(64, ((b * n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (b * n * n); i++) B[i] = (i * 7 + 3) % 11 + 1;
  double *C = aligned_alloc(64, ((b * n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (b * n * n); i++) C[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  batched_matmul(b, n, (void *)A, (void *)B, (void *)C);
  trace_stop();
  free(A);
  free(B);
  free(C);
  return 0;
}
#endif
