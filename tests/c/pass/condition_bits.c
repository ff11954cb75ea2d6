// function: even_odd_split
// sizes: n=64; n=99
// The parity by a bit test, and the half of the index by a shift.
void even_odd_split(int n, const double *a, double *even, double *odd) {
  for (int i = 0; i < n; i++) {
    if (i & 1)
      odd[i >> 1] = a[i];
    else
      even[i >> 1] = a[i];
  }
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
  double *even = aligned_alloc(64, ((n / 2 + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n / 2 + 1); i++) even[i] = (i * 7 + 3) % 11 + 1;
  double *odd = aligned_alloc(64, ((n / 2 + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n / 2 + 1); i++) odd[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  even_odd_split(n, a, even, odd);
  trace_stop();
  free(a);
  free(even);
  free(odd);
  return 0;
}
#endif
