// flags: --parallel 5
// function: two
// Two loops begin on the line that is chosen.
void two(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) x[i] = 0; for (int k = 0; k < n; k++) y[k] = 0;
}
