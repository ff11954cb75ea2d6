// function: sample
// The counter of the loop is a floating-point number, so the number of steps depends on rounding.
void sample(double step, double *out) {
  int i = 0;
  for (double x = 0.0; x < 1.0; x += step)
    out[i++] = x * x;
}
