// function: choose
// sizes: p=0 q=0 n=40; p=3 q=3 n=40; p=-2 q=-2 n=24; p=1 q=2 n=24
// Conditions that compare arguments with each other: `!=` and `||`.
void choose(int p, int q, int n, const double *x, double *y) {
  if (p != q || p == 3)
    for (int i = 0; i < n; i++) y[i] = x[i];
  else
    for (int i = 0; i < n; i++) y[i] += x[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long p = atol(argv[1]);
  long q = atol(argv[2]);
  long n = atol(argv[3]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  choose(p, q, n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
