// function: normalised
// Only what stands between the pragmas is read; the loop behind them has a store that depends on data.
void normalised(int n, double *a) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * a[i];
#pragma endscop
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) a[i] = 0.0;
}
