// A product in tiles of tiles, where T1 is a multiple of T2.
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void levels(int n, int T1, int T2, double A[n][n], double B[n][n], double C[n][n]) {
  for (int iii = 0; iii < n; iii += T1)
    for (int kkk = 0; kkk < n; kkk += T1)
      for (int ii = iii; ii < MIN(iii + T1, n); ii += T2)
        for (int kk = kkk; kk < MIN(kkk + T1, n); kk += T2)
          for (int j = 0; j < n; j++)
            for (int i = ii; i < MIN(ii + T2, n); i++)
              for (int k = kk; k < MIN(kk + T2, n); k++)
                C[i][j] += A[i][k] * B[k][j];
}
