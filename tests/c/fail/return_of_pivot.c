// function: cholesky
// The compiler makes one exit of the `return` and the end of the body; whether it is taken depends on data.
int cholesky(int n, double a[n][n]) {
  for (int j = 0; j < n; j++) {
    double pivot = a[j][j];
    if (pivot <= 0.0)
      return j + 1;
    for (int i = j; i < n; i++)
      a[i][j] /= pivot;
  }
  return 0;
}
