// function: harmonic
// There is a loop but no access: all of it is in registers.
double harmonic(int n) {
  double s = 0.0;
  for (int i = 1; i <= n; i++)
    s += 1.0 / i;
  return s;
}
