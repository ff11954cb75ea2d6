// function: split
// flags: --both-sides
// Whether y or z is written depends on x: both are taken to be.
void split(int n, const double *x, double *y, double *z) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0.0)
      y[i] = x[i];
    else
      z[i] = -x[i];
}
