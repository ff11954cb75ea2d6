// function: merge
// Which of the two inputs is read next depends on the data.
void merge(int n, int m, const double *a, const double *b, double *out) {
  int i = 0, j = 0;
  for (int k = 0; k < n + m; k++) {
    if (j >= m || (i < n && a[i] <= b[j]))
      out[k] = a[i++];
    else
      out[k] = b[j++];
  }
}
