// function: copied
// flags: --branch 6=0 --branch 8=0
// A branch that another one keeps from being reached may be told as well.
void copied(int n, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0.0) {
      b[i] = 1.0;
      if (a[i] > 2.0)
        b[i] = 2.0;
    }
}
