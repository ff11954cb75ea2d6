// PolyBench's jacobi-2d, in tiles of space.
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void jacobi_2d(int tsteps, int n, int T, double A[n][n], double B[n][n]) {
  for (int t = 0; t < tsteps; t++) {
    for (int ii = 0; ii < n; ii += T)
      for (int jj = 0; jj < n; jj += T)
        for (int i = MAX(ii, 1); i < MIN(ii + T, n - 1); i++)
          for (int j = MAX(jj, 1); j < MIN(jj + T, n - 1); j++)
            B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
    for (int ii = 0; ii < n; ii += T)
      for (int jj = 0; jj < n; jj += T)
        for (int i = MAX(ii, 1); i < MIN(ii + T, n - 1); i++)
          for (int j = MAX(jj, 1); j < MIN(jj + T, n - 1); j++)
            A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
  }
}
