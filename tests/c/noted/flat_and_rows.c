// function: two_views
// One array is used as rows of a symbolic length n and as a flat array, which is in no affine relation to the rows.
void two_views(int n, int len, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0.0;
  for (int k = 0; k < len; k++)
    a[k] += 1.0;
}
