// function: smooth
// Clang sets a local array by the library's memcpy.
void smooth(int n, const double *a, double *b) {
  const double weight[3] = {0.25, 0.5, 0.25};
  for (int i = 1; i < n - 1; i++) {
    b[i] = 0.0;
    for (int k = 0; k < 3; k++)
      b[i] += weight[k] * a[i + k - 1];
  }
}
