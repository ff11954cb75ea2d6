// The residual on the next coarser grid of a multigrid solver, with full weights, as MG's rprj3 of the NAS Parallel Benchmarks: sums
// over planes are kept in two rows.
void restriction(int m, double r[2 * m][2 * m][2 * m], double s[m][m][m], double x[2 * m], double y[2 * m]) {
  for (int k = 1; k < m - 1; k++)
    for (int j = 1; j < m - 1; j++) {
      for (int i = 1; i < m; i++) {
        x[2 * i - 1] = r[2 * k][2 * j - 1][2 * i - 1] + r[2 * k][2 * j + 1][2 * i - 1] + r[2 * k - 1][2 * j][2 * i - 1]
                       + r[2 * k + 1][2 * j][2 * i - 1];
        y[2 * i - 1] = r[2 * k - 1][2 * j - 1][2 * i - 1] + r[2 * k + 1][2 * j - 1][2 * i - 1]
                       + r[2 * k - 1][2 * j + 1][2 * i - 1] + r[2 * k + 1][2 * j + 1][2 * i - 1];
      }
      for (int i = 1; i < m - 1; i++) {
        double corners = r[2 * k - 1][2 * j - 1][2 * i] + r[2 * k + 1][2 * j - 1][2 * i] + r[2 * k - 1][2 * j + 1][2 * i]
                         + r[2 * k + 1][2 * j + 1][2 * i];
        double edges = r[2 * k][2 * j - 1][2 * i] + r[2 * k][2 * j + 1][2 * i] + r[2 * k - 1][2 * j][2 * i]
                       + r[2 * k + 1][2 * j][2 * i];
        s[k][j][i] = 0.5 * r[2 * k][2 * j][2 * i]
                     + 0.25 * (r[2 * k][2 * j][2 * i - 1] + r[2 * k][2 * j][2 * i + 1] + edges)
                     + 0.125 * (x[2 * i - 1] + x[2 * i + 1] + corners) + 0.0625 * (y[2 * i - 1] + y[2 * i + 1]);
      }
    }
}
