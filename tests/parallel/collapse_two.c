// Two loops as one, in several nests: a product of matrices, a transposed copy, and loops over one row.

void collapse_two(int n, int m, double A[n][m], double B[m][n], double C[n][n], double x[m]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma omp parallel for collapse(2) schedule(static)
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      A[i][j] = B[j][i];
#pragma omp parallel for collapse(1)
  for (int j = 0; j < m; j++)
    x[j] = A[0][j];
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 1; i++)
    for (int j = 0; j < m; j++)
      x[j] += A[i][j];
}
