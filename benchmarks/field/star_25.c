// A stencil of 25 points, four each way in three dimensions, as in codes for waves of eighth order.
#define RING(r) \
  (in[i - r][j][k] + in[i + r][j][k] + in[i][j - r][k] + in[i][j + r][k] + in[i][j][k - r] + in[i][j][k + r])

void star_25(int n, double in[n][n][n], double out[n][n][n]) {
  for (int i = 4; i < n - 4; i++)
    for (int j = 4; j < n - 4; j++)
      for (int k = 4; k < n - 4; k++)
        out[i][j][k] = 0.5 * in[i][j][k] + 0.25 * RING(1) + 0.125 * RING(2) + 0.0625 * RING(3) + 0.03125 * RING(4);
}
