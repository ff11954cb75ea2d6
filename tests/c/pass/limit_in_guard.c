// function: up_to
// sizes: n=40 k=0; n=40 k=-3; n=40 k=17; n=24 k=50
// A limit that no loop has: it may be 0, negative, or beyond the end.
void up_to(int n, int k, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    if (i < k) y[i] += x[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long k = atol(argv[2]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  up_to(n, k, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
