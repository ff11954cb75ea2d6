// function: off_diagonal
// sizes: n=16; n=64
// The diagonal is skipped by a continue.
void off_diagonal(int n, double A[n][n], double s[n]) {
  for (int i = 0; i < n; i++) {
    s[i] = 0.0;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      s[i] += A[i][j];
    }
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
  double *s = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) s[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  off_diagonal(n, (void *)A, s);
  trace_stop();
  free(A);
  free(s);
  return 0;
}
#endif
