// function: total_of
// sizes: n=64; n=500
// The sum is a global variable, so it is read and written in every step.
_Alignas(64) double total;

void total_of(int n, const double *a) {
  total = 0.0;
  for (int i = 0; i < n; i++)
    total += a[i];
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
  total_of(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
