// trisolv: solves L*x = b, L lower triangular
// (PolyBench/C 4.2.1, linear-algebra/solvers/trisolv)

#ifndef N
#define N n
#endif

void kernel_trisolv(int n, double L[N][N], double x[N], double b[N]) {
  int i, j;

  for (i = 0; i < n; i++) {
    x[i] = b[i];
    for (j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}
