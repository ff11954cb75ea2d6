// function: reshaped
// One array is used with rows of length n and with rows of length m.
void reshaped(int n, int m, double *a) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 1.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += 2.0;
}
