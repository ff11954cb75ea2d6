// function: dot
// sizes: n=64; n=1000
// A reduction into a register that the function returns.
double dot(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
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
  dot(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
