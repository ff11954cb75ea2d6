// function: narrow_ends
// sizes: n=200; n=50; n=3
// Narrow counters that a constant ends, or that go down: they keep to their types for every n.
void narrow_ends(int n, double *x, double *y) {
  for (signed char k = 0; k < n && k < 100; k += 2) x[k] = 0;
  for (int j = 0; j < n; j++)
    for (short i = 5; i >= j; i--) y[i] += 1;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *x = aligned_alloc(64, (n + 8) * sizeof(double) / 64 * 64 + 64);
  double *y = aligned_alloc(64, 64);
  for (long i = 0; i < n; i++) x[i] = i;
  for (long i = 0; i < 6; i++) y[i] = i;
  trace_start();
  narrow_ends(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
