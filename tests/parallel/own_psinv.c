// The loops of a multigrid smoother, with lines of sums that the source declares outside of them and makes private.

enum { LINE = 64 };

void own_psinv(int n, double r[n][n][n], double u[n][n][n]) {
  double r1[LINE], r2[LINE];
  int i1, i2, i3;
#pragma omp parallel for private(i1, i2, i3, r1, r2)
  for (i3 = 1; i3 < n - 1; i3++)
    for (i2 = 1; i2 < n - 1; i2++) {
      // traced: r1, r2
      for (i1 = 0; i1 < n; i1++) {
        r1[i1] = r[i3][i2 - 1][i1] + r[i3][i2 + 1][i1] + r[i3 - 1][i2][i1] + r[i3 + 1][i2][i1];
        r2[i1] = r[i3 - 1][i2 - 1][i1] + r[i3 - 1][i2 + 1][i1] + r[i3 + 1][i2 - 1][i1] + r[i3 + 1][i2 + 1][i1];
      }
      for (i1 = 1; i1 < n - 1; i1++)
        u[i3][i2][i1] += 0.5 * r[i3][i2][i1] + 0.25 * (r[i3][i2][i1 - 1] + r[i3][i2][i1 + 1] + r1[i1]) +
                         0.125 * (r2[i1] + r1[i1 - 1] + r1[i1 + 1]);
    }
}
