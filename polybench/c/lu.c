// lu: A := L*U without pivoting
// (PolyBench/C 4.2.1, linear-algebra/solvers/lu)

#ifndef N
#define N n
#endif

void kernel_lu(int n, double A[N][N]) {
  int i, j, k;

  for (i = 0; i < n; i++) {
    for (j = 0; j < i; j++) {
      for (k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (j = i; j < n; j++)
      for (k = 0; k < i; k++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}
