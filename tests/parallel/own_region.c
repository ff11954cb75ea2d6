// A buffer that is declared in a parallel region: each thread keeps its own from one loop to the next.

void own_region(int n, int m, double A[n][m], double s[n]) {
#pragma omp parallel
  {
    double w[64];
#pragma omp for
    for (int i = 0; i < n; i++) {
      // traced: w
      for (int j = 0; j < m; j++)
        w[j] = A[i][j];
      s[i] = w[0];
    }
#pragma omp for
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        A[i][j] = w[j] + s[i - 1];
#pragma omp single
    s[0] = w[0];
  }
}
