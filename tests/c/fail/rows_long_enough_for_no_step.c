// Rows of n elements hold m of them if n >= m, and then there is no step.
void steps(int l, int m, int n, double *a) {
  for (int t = 0; t < m - n; t++)
    for (int i = 0; i < l; i++)
      for (int j = 0; j < m; j++)
        a[i * n + j] += 1.0;
}
