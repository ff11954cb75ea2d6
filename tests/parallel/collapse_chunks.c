// Chunks of the iterations of two and three loops, shorter than a row, longer, and of several rows.

void collapse_chunks(int n, int m, double A[n][m], double B[n][m], double T[n][m][8]) {
#pragma omp parallel for collapse(2) schedule(static, 1)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = B[i][j];
#pragma omp parallel for schedule(static, 5) collapse(2)
  for (int i = 0; i < n; i += 2)
    for (int j = 1; j < m; j++)
      B[i][j] = A[i][j - 1] + A[i][j];
#pragma omp parallel for collapse(2) schedule(monotonic : static, 40)
  for (int j = 0; j < m; j++)
    for (int i = n - 1; i >= 1; i--)
      A[i][j] += B[i - 1][j];
#pragma omp parallel for collapse(3) schedule(static, 4)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 3; k++)
        T[i][j][k] = A[i][j];
}
