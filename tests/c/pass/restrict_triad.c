// function: triad
// sizes: n=64; n=1024
// Restricted pointers, in the manner of the bandwidth benchmarks.
void triad(long n, double *restrict a, const double *restrict b, const double *restrict c, double scalar) {
  for (long j = 0; j < n; j++)
    a[j] = b[j] + scalar * c[j];
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
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  double *c = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  triad(n, a, b, c, 3.0);
  trace_stop();
  free(a);
  free(b);
  free(c);
  return 0;
}
#endif
