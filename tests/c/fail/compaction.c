// function: keep_positive
// Where the next element is written depends on how many were kept before, that is on data.
int keep_positive(int n, const double *a, double *out) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    out[k] = a[i];
    k += a[i] > 0.0;
  }
  return k;
}
