// function: sum_and_squares
// sizes: n=64; n=200
// Two results behind pointers, each accumulated in memory.
void sum_and_squares(int n, const double *a, double *sum, double *squares) {
  *sum = 0.0;
  *squares = 0.0;
  for (int i = 0; i < n; i++) {
    *sum += a[i];
    *squares += a[i] * a[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *sum = aligned_alloc(64, (1 * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < 1; i++) sum[i] = (i * 7 + 3) % 11 + 1;
  double *squares = aligned_alloc(64, (1 * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < 1; i++) squares[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  sum_and_squares(n, a, sum, squares);
  trace_stop();
  free(a);
  free(sum);
  free(squares);
  return 0;
}
#endif
