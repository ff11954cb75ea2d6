// function: axpy
// sizes: n=1; n=7; n=8; n=64; n=131
// flags: --registers optimized
// A vectorised loop with a counter of 64 bits: the compiler clears the low bits of its size by a mask of 60 ones.
void axpy(long n, float a, const float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++)
    y[i] += a * x[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *x = aligned_alloc(64, (4 * n + 64) / 64 * 64);
  float *y = aligned_alloc(64, (4 * n + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = y[i] = i;
  trace_start();
  axpy(n, 0.5f, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
