// function: pairs
// flags: --registers optimized
// sizes: n=1; n=19; n=64
// The optimiser writes 2*(i/4) with a shift and a mask that leaves 62 bits.
double pairs(long n, double *b) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += b[2 * (i / 4) + i % 2];
  return sum;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *b = memset(aligned_alloc(64, 64 * sizeof(double)), 0, 64 * sizeof(double));
  trace_start();
  volatile double sum = pairs(n, b);
  (void)sum;
  trace_stop();
  free(b);
  return 0;
}
#endif
