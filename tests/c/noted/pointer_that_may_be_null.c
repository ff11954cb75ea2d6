// function: add_bias
// What is compared with null is taken not to be null.
void add_bias(int n, const double *restrict bias, double *restrict x) {
  for (int i = 0; i < n; i++) x[i] *= 2.0;
  if (bias)
    for (int i = 0; i < n; i++) x[i] += bias[i];
}
