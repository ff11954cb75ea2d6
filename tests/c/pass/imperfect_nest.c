// function: centred
// sizes: n=16 m=24; n=50 m=8
// Statements before, between and after inner loops.
void centred(int n, int m, double A[n][m], double mean[n]) {
  for (int i = 0; i < n; i++) {
    mean[i] = 0.0;
    for (int j = 0; j < m; j++)
      mean[i] += A[i][j];
    mean[i] /= m;
    for (int j = 0; j < m; j++)
      A[i][j] -= mean[i];
    A[i][0] = mean[i];
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
  double *A = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *mean = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) mean[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  centred(n, m, (void *)A, mean);
  trace_stop();
  free(A);
  free(mean);
  return 0;
}
#endif
