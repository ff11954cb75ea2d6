// gramschmidt: A = Q*R by modified Gram-Schmidt
// (PolyBench/C 4.2.1, linear-algebra/solvers/gramschmidt)

#include <math.h>

#ifndef M
#define M m
#endif
#ifndef N
#define N n
#endif

void kernel_gramschmidt(int m, int n, double A[M][N], double R[N][N], double Q[M][N]) {
  int i, j, k;
  double nrm;

  for (k = 0; k < n; k++) {
    nrm = 0.0;
    for (i = 0; i < m; i++)
      nrm += A[i][k] * A[i][k];
    R[k][k] = sqrt(nrm);
    for (i = 0; i < m; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (j = k + 1; j < n; j++) {
      R[k][j] = 0.0;
      for (i = 0; i < m; i++)
        R[k][j] += Q[i][k] * A[i][j];
      for (i = 0; i < m; i++)
        A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
}
