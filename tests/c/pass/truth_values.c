// function: accumulate
// sizes: accumulates=0 twice=0 n=40; accumulates=1 twice=0 n=40; accumulates=0 twice=1 n=24; accumulates=1 twice=1 n=24
// Truth values as arguments: parameters that are 0 or 1.
#include <stdbool.h>

void accumulate(bool accumulates, bool twice, int n, const double *x, double *y) {
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1 && !twice) break;
    for (int i = 0; i < n; i++) y[i] = accumulates ? y[i] + x[i] : x[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long accumulates = atol(argv[1]);
  long twice = atol(argv[2]);
  long n = atol(argv[3]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  accumulate(accumulates, twice, n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
