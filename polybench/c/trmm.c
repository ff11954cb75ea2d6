// trmm: B := alpha*A'*B, A lower triangular with unit diagonal
// (PolyBench/C 4.2.1, linear-algebra/blas/trmm)

#ifndef M
#define M m
#endif
#ifndef N
#define N n
#endif

void kernel_trmm(int m, int n, double alpha, double A[M][M], double B[M][N]) {
  int i, j, k;

  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++) {
      for (k = i + 1; k < m; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}
