#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Solves L·x = x: a triangle on the diagonal, then all tiles below it, where the tile of the diagonal is a whole one. */
void trisolv(int n, int T, double L[n][n], double x[n]) {
  for (int kk = 0; kk < n; kk += T) {
    for (int i = kk; i < MIN(kk + T, n); i++) {
      for (int k = kk; k < i; k++)
        x[i] -= L[i][k] * x[k];
      x[i] /= L[i][i];
    }
    for (int ii = kk + T; ii < n; ii += T)
      for (int i = ii; i < MIN(ii + T, n); i++)
        for (int k = kk; k < kk + T; k++)
          x[i] -= L[i][k] * x[k];
  }
}
