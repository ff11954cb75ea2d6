// function: every_mth
// The step is a size, so the counter's values are products of a size and an iterator.
void every_mth(int n, int m, double *a) {
  for (int i = 0; i < n; i += m)
    a[i] = 0.0;
}
