// seidel-2d: 2-D Gauss-Seidel stencil, nine points, in place
// (PolyBench/C 4.2.1, stencils/seidel-2d)

#ifndef N
#define N n
#endif

void kernel_seidel_2d(int tsteps, int n, double A[N][N]) {
  int t, i, j;

  for (t = 0; t <= tsteps - 1; t++)
    for (i = 1; i <= n - 2; i++)
      for (j = 1; j <= n - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                   + A[i][j - 1] + A[i][j] + A[i][j + 1]
                   + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}
