// PolyBench's gemm in tiles; the scaling is a nest of its own.
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void gemm(int ni, int nj, int nk, int T, double alpha, double beta, double C[ni][nj], double A[ni][nk],
          double B[nk][nj]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      C[i][j] *= beta;
  for (int ii = 0; ii < ni; ii += T)
    for (int kk = 0; kk < nk; kk += T)
      for (int jj = 0; jj < nj; jj += T)
        for (int i = ii; i < MIN(ii + T, ni); i++)
          for (int k = kk; k < MIN(kk + T, nk); k++)
            for (int j = jj; j < MIN(jj + T, nj); j++)
              C[i][j] += alpha * A[i][k] * B[k][j];
}
