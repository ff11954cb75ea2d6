// function: sum_squares
// sizes: n=64; n=1000
// An unsigned counter and an unsigned size.
float sum_squares(unsigned n, const float *a) {
  float s = 0;
  for (unsigned i = 0; i < n; i++)
    s += a[i] * a[i];
  return s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *a = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  sum_squares(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
