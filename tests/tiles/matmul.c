// A product of square matrices in tiles.
void matmul(int n, int T, double A[n][n], double B[n][n], double C[n][n]) {
  for (int ii = 0; ii < n; ii += T)
    for (int jj = 0; jj < n; jj += T)
      for (int kk = 0; kk < n; kk += T)
        for (int i = ii; i < (ii + T < n ? ii + T : n); i++)
          for (int j = jj; j < (jj + T < n ? jj + T : n); j++)
            for (int k = kk; k < (kk + T < n ? kk + T : n); k++)
              C[i][j] += A[i][k] * B[k][j];
}
