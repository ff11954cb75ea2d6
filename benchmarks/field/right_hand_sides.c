// The right-hand sides of a compressible flow, as SP and LU of the NAS Parallel Benchmarks compute them: five fields, second
// differences and fluxes in three directions, and fourth-order dissipation with other formulas near the borders.

#define SECOND(field, di, dj, dk) (field[i + di][j + dj][k + dk] - 2.0 * field[i][j][k] + field[i - di][j - dj][k - dk])

void right_hand_sides(int n, double d, double t, double e, double u[5][n][n][n], double rhs[5][n][n][n],
                      double forcing[5][n][n][n], double rho[n][n][n], double us[n][n][n], double vs[n][n][n],
                      double ws[n][n][n], double qs[n][n][n], double square[n][n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        double inverse = 1.0 / u[0][i][j][k];
        rho[i][j][k] = inverse;
        us[i][j][k] = u[1][i][j][k] * inverse;
        vs[i][j][k] = u[2][i][j][k] * inverse;
        ws[i][j][k] = u[3][i][j][k] * inverse;
        square[i][j][k] = 0.5 * (u[1][i][j][k] * u[1][i][j][k] + u[2][i][j][k] * u[2][i][j][k]
                                 + u[3][i][j][k] * u[3][i][j][k]) * inverse;
        qs[i][j][k] = square[i][j][k] * inverse;
      }
  for (int m = 0; m < 5; m++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          rhs[m][i][j][k] = forcing[m][i][j][k];

  // The first direction.
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        double next = us[i + 1][j][k], last = us[i - 1][j][k];
        rhs[0][i][j][k] += d * SECOND(u[0], 1, 0, 0) - t * (u[1][i + 1][j][k] - u[1][i - 1][j][k]);
        rhs[1][i][j][k] += d * SECOND(u[1], 1, 0, 0) + e * (next - 2.0 * us[i][j][k] + last)
                           - t * (u[1][i + 1][j][k] * next - u[1][i - 1][j][k] * last + (u[4][i + 1][j][k] - square[i + 1][j][k] - u[4][i - 1][j][k] + square[i - 1][j][k]) * e);
        rhs[2][i][j][k] += d * SECOND(u[2], 1, 0, 0) + e * SECOND(vs, 1, 0, 0)
                           - t * (u[2][i + 1][j][k] * next - u[2][i - 1][j][k] * last);
        rhs[3][i][j][k] += d * SECOND(u[3], 1, 0, 0) + e * SECOND(ws, 1, 0, 0)
                           - t * (u[3][i + 1][j][k] * next - u[3][i - 1][j][k] * last);
        rhs[4][i][j][k] += d * SECOND(u[4], 1, 0, 0) + e * SECOND(qs, 1, 0, 0)
                           + e * (next * next - 2.0 * us[i][j][k] * us[i][j][k] + last * last)
                           + e * (u[4][i + 1][j][k] * rho[i + 1][j][k] - 2.0 * u[4][i][j][k] * rho[i][j][k] + u[4][i - 1][j][k] * rho[i - 1][j][k])
                           - t * ((d * u[4][i + 1][j][k] - e * square[i + 1][j][k]) * next - (d * u[4][i - 1][j][k] - e * square[i - 1][j][k]) * last);
      }
  for (int m = 0; m < 5; m++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][1][j][k] -= e * (5.0 * u[m][1][j][k] - 4.0 * u[m][2][j][k] + 1.0 * u[m][3][j][k]);
  for (int m = 0; m < 5; m++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][2][j][k] -= e * (-4.0 * u[m][1][j][k] + 6.0 * u[m][2][j][k] - 4.0 * u[m][3][j][k] + 1.0 * u[m][4][j][k]);
  for (int m = 0; m < 5; m++)
    for (int i = 3; i < n - 3; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          rhs[m][i][j][k] -= e * (u[m][i - 2][j][k] - 4.0 * u[m][i - 1][j][k] + 6.0 * u[m][i][j][k] - 4.0 * u[m][i + 1][j][k] + u[m][i + 2][j][k]);
  for (int m = 0; m < 5; m++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][n - 3][j][k] -= e * (1.0 * u[m][n - 5][j][k] - 4.0 * u[m][n - 4][j][k] + 6.0 * u[m][n - 3][j][k] - 4.0 * u[m][n - 2][j][k]);
  for (int m = 0; m < 5; m++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][n - 2][j][k] -= e * (1.0 * u[m][n - 4][j][k] - 4.0 * u[m][n - 3][j][k] + 5.0 * u[m][n - 2][j][k]);
  // The second direction.
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        double next = vs[i][j + 1][k], last = vs[i][j - 1][k];
        rhs[0][i][j][k] += d * SECOND(u[0], 0, 1, 0) - t * (u[2][i][j + 1][k] - u[2][i][j - 1][k]);
        rhs[1][i][j][k] += d * SECOND(u[1], 0, 1, 0) + e * SECOND(us, 0, 1, 0)
                           - t * (u[1][i][j + 1][k] * next - u[1][i][j - 1][k] * last);
        rhs[2][i][j][k] += d * SECOND(u[2], 0, 1, 0) + e * (next - 2.0 * vs[i][j][k] + last)
                           - t * (u[2][i][j + 1][k] * next - u[2][i][j - 1][k] * last + (u[4][i][j + 1][k] - square[i][j + 1][k] - u[4][i][j - 1][k] + square[i][j - 1][k]) * e);
        rhs[3][i][j][k] += d * SECOND(u[3], 0, 1, 0) + e * SECOND(ws, 0, 1, 0)
                           - t * (u[3][i][j + 1][k] * next - u[3][i][j - 1][k] * last);
        rhs[4][i][j][k] += d * SECOND(u[4], 0, 1, 0) + e * SECOND(qs, 0, 1, 0)
                           + e * (next * next - 2.0 * vs[i][j][k] * vs[i][j][k] + last * last)
                           + e * (u[4][i][j + 1][k] * rho[i][j + 1][k] - 2.0 * u[4][i][j][k] * rho[i][j][k] + u[4][i][j - 1][k] * rho[i][j - 1][k])
                           - t * ((d * u[4][i][j + 1][k] - e * square[i][j + 1][k]) * next - (d * u[4][i][j - 1][k] - e * square[i][j - 1][k]) * last);
      }
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][i][1][k] -= e * (5.0 * u[m][i][1][k] - 4.0 * u[m][i][2][k] + 1.0 * u[m][i][3][k]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][i][2][k] -= e * (-4.0 * u[m][i][1][k] + 6.0 * u[m][i][2][k] - 4.0 * u[m][i][3][k] + 1.0 * u[m][i][4][k]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 3; j < n - 3; j++)
        for (int k = 1; k < n - 1; k++)
          rhs[m][i][j][k] -= e * (u[m][i][j - 2][k] - 4.0 * u[m][i][j - 1][k] + 6.0 * u[m][i][j][k] - 4.0 * u[m][i][j + 1][k] + u[m][i][j + 2][k]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][i][n - 3][k] -= e * (1.0 * u[m][i][n - 5][k] - 4.0 * u[m][i][n - 4][k] + 6.0 * u[m][i][n - 3][k] - 4.0 * u[m][i][n - 2][k]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < n - 1; k++)
        rhs[m][i][n - 2][k] -= e * (1.0 * u[m][i][n - 4][k] - 4.0 * u[m][i][n - 3][k] + 5.0 * u[m][i][n - 2][k]);
  // The third direction.
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        double next = ws[i][j][k + 1], last = ws[i][j][k - 1];
        rhs[0][i][j][k] += d * SECOND(u[0], 0, 0, 1) - t * (u[3][i][j][k + 1] - u[3][i][j][k - 1]);
        rhs[1][i][j][k] += d * SECOND(u[1], 0, 0, 1) + e * SECOND(us, 0, 0, 1)
                           - t * (u[1][i][j][k + 1] * next - u[1][i][j][k - 1] * last);
        rhs[2][i][j][k] += d * SECOND(u[2], 0, 0, 1) + e * SECOND(vs, 0, 0, 1)
                           - t * (u[2][i][j][k + 1] * next - u[2][i][j][k - 1] * last);
        rhs[3][i][j][k] += d * SECOND(u[3], 0, 0, 1) + e * (next - 2.0 * ws[i][j][k] + last)
                           - t * (u[3][i][j][k + 1] * next - u[3][i][j][k - 1] * last + (u[4][i][j][k + 1] - square[i][j][k + 1] - u[4][i][j][k - 1] + square[i][j][k - 1]) * e);
        rhs[4][i][j][k] += d * SECOND(u[4], 0, 0, 1) + e * SECOND(qs, 0, 0, 1)
                           + e * (next * next - 2.0 * ws[i][j][k] * ws[i][j][k] + last * last)
                           + e * (u[4][i][j][k + 1] * rho[i][j][k + 1] - 2.0 * u[4][i][j][k] * rho[i][j][k] + u[4][i][j][k - 1] * rho[i][j][k - 1])
                           - t * ((d * u[4][i][j][k + 1] - e * square[i][j][k + 1]) * next - (d * u[4][i][j][k - 1] - e * square[i][j][k - 1]) * last);
      }
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        rhs[m][i][j][1] -= e * (5.0 * u[m][i][j][1] - 4.0 * u[m][i][j][2] + 1.0 * u[m][i][j][3]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        rhs[m][i][j][2] -= e * (-4.0 * u[m][i][j][1] + 6.0 * u[m][i][j][2] - 4.0 * u[m][i][j][3] + 1.0 * u[m][i][j][4]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 3; k < n - 3; k++)
          rhs[m][i][j][k] -= e * (u[m][i][j][k - 2] - 4.0 * u[m][i][j][k - 1] + 6.0 * u[m][i][j][k] - 4.0 * u[m][i][j][k + 1] + u[m][i][j][k + 2]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        rhs[m][i][j][n - 3] -= e * (1.0 * u[m][i][j][n - 5] - 4.0 * u[m][i][j][n - 4] + 6.0 * u[m][i][j][n - 3] - 4.0 * u[m][i][j][n - 2]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        rhs[m][i][j][n - 2] -= e * (1.0 * u[m][i][j][n - 4] - 4.0 * u[m][i][j][n - 3] + 5.0 * u[m][i][j][n - 2]);
  for (int m = 0; m < 5; m++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          rhs[m][i][j][k] *= t;
}
