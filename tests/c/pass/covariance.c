// function: covariance
// sizes: n=20 m=16; n=24 m=32
// Means of columns and the covariance matrix, of which half is computed and mirrored.
void covariance(int n, int m, double data[n][m], double cov[m][m], double *mean) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i][j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] -= mean[j];
  for (int p = 0; p < m; p++)
    for (int q = p; q < m; q++) {
      double s = 0.0;
      for (int i = 0; i < n; i++)
        s += data[i][p] * data[i][q];
      cov[p][q] = cov[q][p] = s / (n - 1);
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *data = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) data[i] = (i * 7 + 3) % 11 + 1;
  double *cov = aligned_alloc(64, ((m * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * m); i++) cov[i] = (i * 7 + 3) % 11 + 1;
  double *mean = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) mean[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  covariance(n, m, (void *)data, (void *)cov, mean);
  trace_stop();
  free(data);
  free(cov);
  free(mean);
  return 0;
}
#endif
