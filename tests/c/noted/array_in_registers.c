// function: smooth
// A window of constant subscripts, which compilers keep in registers, and one that a loop fills.
void smooth(int n, const double *restrict x, double *restrict y) {
  double window[3], sums[2];
  for (int i = 1; i < n; i++) {
    window[0] = x[i - 1];
    window[1] = x[i];
    window[2] = window[0] + window[1];
    for (int k = 0; k < 2; k++)
      sums[k] = window[2] * k;
    y[i] = sums[1] - sums[0];
  }
}
