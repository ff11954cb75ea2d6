// syr2k: C := alpha*A*B' + alpha*B*A' + beta*C, lower triangle
// (PolyBench/C 4.2.1, linear-algebra/blas/syr2k)

#ifndef N
#define N n
#endif
#ifndef M
#define M m
#endif

void kernel_syr2k(int n, int m, double alpha, double beta, double C[N][N], double A[N][M], double B[N][M]) {
  int i, j, k;

  for (i = 0; i < n; i++) {
    for (j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (k = 0; k < m; k++)
      for (j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}
