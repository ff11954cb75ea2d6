// function: eliminate
// Two conditions on data leave the loop; only both of them together are a number of iterations.
int eliminate(int n, double a[n][n], double y[restrict n]) {
  for (int j = 0; j < n; j++) {
    double t = a[j][j];
    if (t == 0.0)
      return j;
    if (t < 0.0)
      break;
    for (int i = j + 1; i < n; i++)
      y[i] -= a[i][j] / t;
  }
  return 0;
}
