// The correction from the next coarser grid of a multigrid solver, by trilinear interpolation, as MG's interp of the NAS Parallel
// Benchmarks: sums of neighbours are kept in three rows.
void interpolation(int m, double z[m][m][m], double u[2 * m][2 * m][2 * m], double z1[m], double z2[m], double z3[m]) {
  for (int k = 0; k < m - 1; k++)
    for (int j = 0; j < m - 1; j++) {
      for (int i = 0; i < m; i++) {
        z1[i] = z[k][j + 1][i] + z[k][j][i];
        z2[i] = z[k + 1][j][i] + z[k][j][i];
        z3[i] = z[k + 1][j + 1][i] + z[k + 1][j][i] + z1[i];
      }
      for (int i = 0; i < m - 1; i++) {
        u[2 * k][2 * j][2 * i] += z[k][j][i];
        u[2 * k][2 * j][2 * i + 1] += 0.5 * (z[k][j][i + 1] + z[k][j][i]);
      }
      for (int i = 0; i < m - 1; i++) {
        u[2 * k][2 * j + 1][2 * i] += 0.5 * z1[i];
        u[2 * k][2 * j + 1][2 * i + 1] += 0.25 * (z1[i] + z1[i + 1]);
      }
      for (int i = 0; i < m - 1; i++) {
        u[2 * k + 1][2 * j][2 * i] += 0.5 * z2[i];
        u[2 * k + 1][2 * j][2 * i + 1] += 0.25 * (z2[i] + z2[i + 1]);
      }
      for (int i = 0; i < m - 1; i++) {
        u[2 * k + 1][2 * j + 1][2 * i] += 0.25 * z3[i];
        u[2 * k + 1][2 * j + 1][2 * i + 1] += 0.125 * (z3[i] + z3[i + 1]);
      }
    }
}
