// function: back_substitute_bidiagonal
// sizes: n=64; n=500
// A loop that counts down to zero, carrying a recurrence.
void back_substitute_bidiagonal(int n, const double *d, const double *e, double *x) {
  x[n - 1] /= d[n - 1];
  for (int i = n - 2; i >= 0; i--)
    x[i] = (x[i] - e[i] * x[i + 1]) / d[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *d = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) d[i] = (i * 7 + 3) % 11 + 1;
  double *e = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) e[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  back_substitute_bidiagonal(n, d, e, x);
  trace_stop();
  free(d);
  free(e);
  free(x);
  return 0;
}
#endif
