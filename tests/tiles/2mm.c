// PolyBench's 2mm in tiles.
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void two_mm(int ni, int nj, int nk, int nl, int T, double alpha, double beta, double tmp[ni][nj], double A[ni][nk],
            double B[nk][nj], double C[nj][nl], double D[ni][nl]) {
  for (int ii = 0; ii < ni; ii += T)
    for (int jj = 0; jj < nj; jj += T)
      for (int kk = 0; kk < nk; kk += T)
        for (int i = ii; i < MIN(ii + T, ni); i++)
          for (int j = jj; j < MIN(jj + T, nj); j++)
            for (int k = kk; k < MIN(kk + T, nk); k++)
              tmp[i][j] += alpha * A[i][k] * B[k][j];
  for (int ii = 0; ii < ni; ii += T)
    for (int jj = 0; jj < nl; jj += T)
      for (int kk = 0; kk < nj; kk += T)
        for (int i = ii; i < MIN(ii + T, ni); i++)
          for (int j = jj; j < MIN(jj + T, nl); j++)
            for (int k = kk; k < MIN(kk + T, nj); k++)
              D[i][j] += tmp[i][k] * C[k][j];
}
