// function: strided
// sizes: n=30; n=7
// flags: --assume 'n <= 40'
// A product that fits in eight bits, since the sizes are known to be small.
void strided(int n, double *t) {
  for (int i = 0; i < n; i++) {
    unsigned char k = i * 3;
    t[k] += 1;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *t = aligned_alloc(64, ((256) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (256); i++) t[i] = i % 7 + 1;
  trace_start();
  strided(n, t);
  trace_stop();
  free(t);
  return 0;
}
#endif
