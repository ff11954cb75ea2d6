// function: buckets
// The subscript is shifted by a size, that is divided by a power with a size as its exponent.
void buckets(int n, int shift, const double *a, double *bucket) {
  for (int i = 0; i < n; i++)
    bucket[i >> shift] += a[i];
}
