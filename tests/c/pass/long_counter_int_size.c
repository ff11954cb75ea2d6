// function: cast_subscript
// sizes: n=16; n=40
// Counters of different widths in one subscript, with casts.
void cast_subscript(int n, const double *A, double *x) {
  for (long i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[(unsigned)j] += A[(long)n * i + (long)j];
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
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  cast_subscript(n, A, x);
  trace_stop();
  free(A);
  free(x);
  return 0;
}
#endif
