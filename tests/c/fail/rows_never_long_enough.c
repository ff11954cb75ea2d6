// Rows of n elements hold m of them if n >= m, but they are accessed only where m is half as large again.
void widened(int l, int m, int n, double *a) {
  if (2 * m >= 3 * n)
    for (int i = 0; i < l; i++)
      for (int j = 0; j < m; j++)
        a[i * n + j] = 0.0;
}
