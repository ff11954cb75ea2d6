// function: growing_sums
// The inner loop runs to the square of the outer iterator.
void growing_sums(int n, const double *a, double *out) {
  for (int i = 0; i < n; i++) {
    out[i] = 0.0;
    for (int j = 0; j < i * i; j++)
      out[i] += a[j];
  }
}
