// syrk: C := alpha*A*A' + beta*C, lower triangle
// (PolyBench/C 4.2.1, linear-algebra/blas/syrk)

#ifndef N
#define N n
#endif
#ifndef M
#define M m
#endif

void kernel_syrk(int n, int m, double alpha, double beta, double C[N][N], double A[N][M]) {
  int i, j, k;

  for (i = 0; i < n; i++) {
    for (j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (k = 0; k < m; k++)
      for (j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
