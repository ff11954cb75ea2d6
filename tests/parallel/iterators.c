// Iterators of several types, in steps, downwards, from other bounds than 0.

void iterators(int n, int m, double A[n][m], double B[n][m]) {
#pragma omp parallel for
  for (int i = 1; i <= n - 2; i += 2)
    for (int j = 0; j < m; j++)
      A[i][j] = B[i + 1][j];
#pragma omp parallel for schedule(static, 2)
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      B[i][j] += A[i][j];
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    A[i][0] = B[i][m - 1];
#pragma omp parallel for
  for (unsigned j = 1; j < (unsigned)m; j++)
    for (int i = n - 1; i > 0; i -= 3)
      A[i][j] = B[i][j - 1];
#pragma omp parallel for schedule(static, 1)
  for (int i = n; i > 2; i -= 2)
    B[i - 1][0] = A[i - 3][0];
}
