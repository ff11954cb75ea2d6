// function: evens
// sizes: n=63; n=64; n=1
// A step of two, with an odd number and an even number of elements.
void evens(int n, double *a, const double *b) {
  for (int i = 0; i < n; i += 2)
    a[i] = 2.0 * b[i];
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
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  evens(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
