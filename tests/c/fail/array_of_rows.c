// function: reverse_rows
// Rows change places by an exchange of the pointers to them: where each row is, only the data say.
void reverse_rows(int n, int m, double **A, double f) {
  for (int i = 0; i < n / 2; i++) {
    double *row = A[i];
    A[i] = A[n - 1 - i];
    A[n - 1 - i] = row;
    for (int j = 0; j < m; j++)
      A[i][j] *= f;
  }
}
