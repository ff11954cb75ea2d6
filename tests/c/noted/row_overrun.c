// function: overlapping_rows
// The column j runs to m, which may be beyond the row length n, so that i * n + j names no column of row i.
void overlapping_rows(int n, int m, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * n + j] += 1.0;
}
