// function: neighbours
// sizes: n=64; n=2; n=1
// An unsigned bound n - 1, which is no wrap-around as every size is at least one.
void neighbours(unsigned n, double *a) {
  for (unsigned i = 0; i < n - 1; i++)
    a[i] = a[i + 1];
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
  trace_start();
  neighbours(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
