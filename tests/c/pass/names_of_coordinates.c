// function: named
// sizes: n=16; n=5
// Names that the derivation gives to coordinates of its own.
void named(int n, double *a, double *b) {
  for (int _1 = 0; _1 < n; _1++)
    for (int _0 = 0; _0 < n; _0++) a[_0] += b[_1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = b[i] = i;
  trace_start();
  named(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
