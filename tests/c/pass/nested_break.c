// function: lower_rows
// sizes: n=16; n=48
// A break leaves the inner loop behind the diagonal, in place of a bound.
double lower_rows(int n, double A[n][n]) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s += A[i][j];
      if (j > i) break;
    }
  return s;
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
  lower_rows(n, (void *)A);
  trace_stop();
  free(A);
  return 0;
}
#endif
