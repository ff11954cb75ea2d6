// function: hadamard
// The length of the butterflies doubles in each stage, as in a fast Fourier transform.
void hadamard(int n, double *a) {
  for (int len = 1; len < n; len <<= 1)
    for (int i = 0; i < n; i += 2 * len)
      for (int j = i; j < i + len; j++) {
        double u = a[j], v = a[j + len];
        a[j] = u + v;
        a[j + len] = u - v;
      }
}
