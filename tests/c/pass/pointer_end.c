// function: sum_range
// sizes: n=64; n=999
// The loop runs until the pointer meets the end of the array.
#include <stddef.h>

double sum_range(const double *a, size_t n) {
  double sum = 0.0;
  for (const double *p = a; p != a + n; ++p)
    sum += *p;
  return sum;
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
  sum_range(a, n);
  trace_stop();
  free(a);
  return 0;
}
#endif
