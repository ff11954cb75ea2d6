// function: running_mean
// sizes: n=64; n=101
// Counting from one to n, both included, as in a translation from Fortran.
void running_mean(int n, const double *x, double *y) {
  double s = 0.0;
  for (int i = 1; i <= n; i++) {
    s += x[i - 1];
    y[i - 1] = s / i;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  running_mean(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
