// function: backward_difference
// sizes: n=64; n=77
// A pointer into the array, with the element before it at p[-1].
void backward_difference(int n, const double *a, double *d) {
  const double *p = a + 1;
  double *q = d;
  for (int i = 0; i < n; i++, p++)
    q[i] = p[0] - p[-1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, ((n + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n + 1); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *d = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) d[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  backward_difference(n, a, d);
  trace_stop();
  free(a);
  free(d);
  return 0;
}
#endif
