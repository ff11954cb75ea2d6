// Sweeps over a plane, again and again: what one thread has written others read, and code between that one thread runs.

void collapse_sweeps(int tsteps, int n, double A[n][n], double B[n][n], double s[n]) {
  for (int t = 0; t < tsteps; t++) {
    s[0] = A[0][0];
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
#pragma omp parallel for collapse(2)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < n - 1; i++)
        A[i][j] = B[i][j];
#pragma omp parallel for
    for (int i = 1; i < n; i++)
      s[i] += A[i][i];
  }
}
