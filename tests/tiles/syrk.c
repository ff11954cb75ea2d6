// PolyBench's syrk in tiles: the loop over j ends at i, in the tile of i or before.
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void syrk(int n, int m, int T, double alpha, double beta, double C[n][n], double A[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
  for (int ii = 0; ii < n; ii += T)
    for (int kk = 0; kk < m; kk += T)
      for (int jj = 0; jj <= ii; jj += T)
        for (int i = ii; i < MIN(ii + T, n); i++)
          for (int k = kk; k < MIN(kk + T, m); k++)
            for (int j = jj; j < MIN(jj + T, i + 1); j++)
              C[i][j] += alpha * A[i][k] * A[j][k];
}
