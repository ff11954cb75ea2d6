// Three loops as one, with a loop in them, and two of three.

void collapse_three(int n, int m, int l, double A[n][m][l], double B[n][m][l], double S[n][m]) {
#pragma omp parallel for collapse(3)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        A[i][j][k] = B[i][j][k];
#pragma omp parallel for collapse(3)
  for (int i = 1; i < n; i += 3)
    for (int k = 1; k < l - 1; k++)
      for (int j = 0; j < m; j += 2)
        for (int t = 0; t < 2; t++)
          B[i][j][k] += A[i - 1][j][k + t];
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        S[i][j] += B[i][j][k];
}
