// function: skip_zeros
// A whole inner loop is skipped where an element is zero.
void skip_zeros(int n, double A[n][n], const double *x, double *y) {
  for (int j = 0; j < n; j++)
    if (x[j] != 0.0)
      for (int i = 0; i < n; i++)
        y[i] += A[i][j] * x[j];
}
