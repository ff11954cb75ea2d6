// symm: C := alpha*A*B + beta*C, A symmetric
// (PolyBench/C 4.2.1, linear-algebra/blas/symm)

#ifndef M
#define M m
#endif
#ifndef N
#define N n
#endif

void kernel_symm(int m, int n, double alpha, double beta, double C[M][N], double A[M][M], double B[M][N]) {
  int i, j, k;
  double temp2;

  for (i = 0; i < m; i++)
    for (j = 0; j < n; j++) {
      temp2 = 0;
      for (k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        temp2 += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
    }
}
