// function: every_third
// sizes: n=16 m=24; n=31 m=40
// A condition on a remainder of three.
void every_third(int n, int m, double A[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if ((i + j) % 3 == 1) A[i][j] += 1.0;
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
  trace_start();
  every_third(n, m, (void *)A);
  trace_stop();
  free(A);
  return 0;
}
#endif
