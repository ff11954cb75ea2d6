// A buffer of each thread in a loop that is dealt in chunks, and another one in an inner loop.

void own_chunks(int n, int m, double A[n][m], double B[n][m]) {
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < n; i++) {
    double sum[8];
    // traced: sum
    for (int k = 0; k < 8; k++)
      sum[k] = 0;
    for (int j = 0; j < m; j++) {
      double pair[2];
      // traced: pair
      for (int k = 0; k < 2; k++)
        pair[k] = A[i][j];
      for (int k = 0; k < 8; k++)
        sum[k] += pair[k % 2];
      B[i][j] = sum[j % 8];
    }
  }
}
