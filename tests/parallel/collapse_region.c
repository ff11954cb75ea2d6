// Nests in a parallel region, with private iterators, guards and a triangle inside.

void collapse_region(int n, int m, double A[n][m], double B[n][m], double x[n]) {
  int i, j;
#pragma omp parallel private(i, j)
  {
#pragma omp for collapse(2)
    for (i = 0; i < n; i++)
      for (j = 0; j < m; j++)
        if (i + j < m)
          A[i][j] = B[i][m - 1 - j];
#pragma omp single
    x[0] = A[0][0];
#pragma omp for collapse(2) schedule(static, 7)
    for (i = 0; i < n; i++)
      for (j = 1; j < m; j++)
        for (int k = 0; k < j; k++)
          B[i][j] += A[i][k];
  }
  for (i = 1; i < n; i++)
    x[i] = B[i][0];
}
