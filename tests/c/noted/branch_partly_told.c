// function: filter
// flags: --branch 6=1
// Only the part of the condition that depends on data is told; i > 3 stays.
void filter(int n, const double *restrict t, double *restrict a) {
  for (int i = 0; i < n; i++)
    if (i > 3 && t[0] > 0.0)
      a[i] = 0.0;
}
