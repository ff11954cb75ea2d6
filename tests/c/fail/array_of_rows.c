// function: scale_rows
// An array of pointers to rows: where each row is, only the data say.
void scale_rows(int n, int m, double **A, double f) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] *= f;
}
