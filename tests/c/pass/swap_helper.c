// function: reverse
// sizes: n=64; n=97
// Two counters run towards each other and a helper swaps what their addresses point at.
static void swap(double *p, double *q) {
  double t = *p;
  *p = *q;
  *q = t;
}

void reverse(int n, double *a) {
  for (int i = 0, j = n - 1; i < j; i++, j--)
    swap(&a[i], &a[j]);
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
  reverse(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
