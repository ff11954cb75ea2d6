// function: onwards
// sizes: n=24 m=5; n=9 m=8; n=200 m=3
// flags: --registers optimized -- -fno-unroll-loops
// The only condition that ends the loop is an inequality of the source: beyond its end the counter would wrap around.
void onwards(unsigned char n, unsigned char m, double *restrict a, double *restrict sum) {
  for (unsigned char i = m; i != n; i++)
    *sum += a[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  double *a = aligned_alloc(64, 256 * sizeof(double)), *sum = calloc(8, sizeof(double));
  for (int i = 0; i < 256; i++) a[i] = i;
  trace_start();
  onwards(atoi(argv[1]), atoi(argv[2]), a, sum);
  trace_stop();
  return 0;
}
#endif
