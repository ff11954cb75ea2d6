// function: symmetrise
// sizes: n=16; n=64
// A strict triangle: each pair is visited once and both elements are written.
void symmetrise(int n, double A[n][n]) {
  for (int i = 0; i < n - 1; i++)
    for (int j = i + 1; j < n; j++) {
      double mean = 0.5 * (A[i][j] + A[j][i]);
      A[i][j] = mean;
      A[j][i] = mean;
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  symmetrise(n, (void *)A);
  trace_stop();
  free(A);
  return 0;
}
#endif
