// Nests in steps, downwards, from other bounds than 0, and without iterations at small sizes.

void collapse_steps(int n, int m, double A[n][m], double B[n][m]) {
#pragma omp parallel for collapse(2)
  for (int i = 1; i <= n - 2; i += 2)
    for (int j = 2; j < m; j++)
      A[i][j] = B[i + 1][j - 2];
#pragma omp parallel for collapse(2)
  for (int i = n - 1; i >= 0; i--)
    for (int j = m - 1; j > 0; j -= 3)
      B[i][j] += A[i][j - 1];
#pragma omp parallel for collapse(2)
  for (long i = 3; i < n; i += 4)
    for (unsigned j = 1; j < (unsigned)m; j += 2)
      A[i][j] = B[i][j] + B[i - 3][j];
#pragma omp parallel for collapse(2)
  for (int j = 5; j < m; j++)
    for (int i = n; i > 2; i -= 2)
      B[i - 1][j] = A[i - 3][j];
}
