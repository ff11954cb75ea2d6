// function: normalised
// flags: --loops 5-6
// Only these lines are read.
void normalised(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * a[i];
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) a[i] = 0.0;
}
