// function: reverse_through_copy
// sizes: n=64; n=150
// A local array of variable length.
void reverse_through_copy(int n, double *a) {
  _Alignas(64) double copy[n];
  for (int i = 0; i < n; i++)
    copy[i] = a[i];
  for (int i = 0; i < n; i++)
    a[i] = copy[n - 1 - i];
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
  reverse_through_copy(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
