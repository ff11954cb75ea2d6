// function: by_bits
// sizes: flags=0 n=40; flags=4 n=40; flags=5 n=24; flags=2 n=24; flags=-1 n=24
// Bits of an argument, as flags are passed together.
enum { CLEARS = 1, COPIES = 4 };

void by_bits(int flags, int n, const double *x, double *y) {
  if (flags & CLEARS)
    for (int i = 0; i < n; i++) y[i] = 0.0;
  if (flags & COPIES)
    for (int i = 0; i < n; i++) y[i] += x[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long flags = atol(argv[1]);
  long n = atol(argv[2]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  by_bits(flags, n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
