// function: shift_in
// sizes: n=8; n=25; n=64
// flags: --registers optimized
// memcpy and memset, which the optimiser must not make of loops, in the source itself.
#include <string.h>

void shift_in(long n, double *restrict x, double *restrict y) {
  memset(y, 0, n * sizeof(double));
  double *copy = memcpy(y, x, n * sizeof(double));
  for (long i = 0; i < n; i++)
    copy[i] += 1;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

// Element by element, as a model takes them.
__attribute__((noinline)) static void by_elements(long n, volatile double *x, volatile double *y) {
  for (long i = 0; i < n; i++) y[i] = 0;
  for (long i = 0; i < n; i++) y[i] = x[i];
  for (long i = 0; i < n; i++) y[i] = y[i] + 1;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *x = aligned_alloc(64, (8 * n + 64) / 64 * 64);
  double *y = aligned_alloc(64, (8 * n + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = y[i] = i;
  trace_start();
  by_elements(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
