// function: scatter
// The place that is written is read from another array.
void scatter(int n, const int *to, const double *a, double *out) {
  for (int i = 0; i < n; i++)
    out[to[i]] = a[i];
}
