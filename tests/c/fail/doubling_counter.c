// function: touch_powers
// The counter doubles in each step, so its values are no affine function of the step.
void touch_powers(int n, double *a) {
  for (int i = 1; i < n; i *= 2)
    a[i] = 0.0;
}
