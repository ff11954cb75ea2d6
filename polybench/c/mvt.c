// mvt: x1 := x1 + A*y_1, x2 := x2 + A'*y_2
// (PolyBench/C 4.2.1, linear-algebra/kernels/mvt)

#ifndef N
#define N n
#endif

void kernel_mvt(int n, double x1[N], double x2[N], double y_1[N], double y_2[N], double A[N][N]) {
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      x1[i] = x1[i] + A[i][j] * y_1[j];
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      x2[i] = x2[i] + A[j][i] * y_2[j];
}
