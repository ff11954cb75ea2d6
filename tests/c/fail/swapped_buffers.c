// function: diffuse
// The pointers to the two buffers change places after each step, so which array is read depends on the step.
void diffuse(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    double *swap = a;
    a = b;
    b = swap;
  }
}
