// function: smooth
// sizes: mode=0 n=40; mode=1 n=40; mode=2 n=40; mode=-1 n=24; mode=7 n=24
// A switch on a mode, of which 0 is one; other values go to the default.
void smooth(int mode, int n, const double *x, double *y) {
  switch (mode) {
  case 0:
    for (int i = 0; i < n; i++) y[i] = 0.0;
    break;
  case 1:
    for (int i = 0; i < n; i++) y[i] = x[i];
    break;
  case 2:
    for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i] + x[i + 1];
    break;
  default:
    for (int i = 0; i < n; i++) y[i] += x[n - 1 - i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long mode = atol(argv[1]);
  long n = atol(argv[2]);
  double *x = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  smooth(mode, n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
