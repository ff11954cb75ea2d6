// covariance: covariance matrix of n data points with m attributes
// (PolyBench/C 4.2.1, datamining/covariance)

#ifndef M
#define M m
#endif
#ifndef N
#define N n
#endif

void kernel_covariance(int m, int n, double float_n, double data[N][M], double cov[M][M], double mean[M]) {
  int i, j, k;

  for (j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= float_n;
  }
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      data[i][j] -= mean[j];
  for (i = 0; i < m; i++)
    for (j = i; j < m; j++) {
      cov[i][j] = 0.0;
      for (k = 0; k < n; k++)
        cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= (float_n - 1.0);
      cov[j][i] = cov[i][j];
    }
}
