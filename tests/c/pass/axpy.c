// function: axpy
// sizes: n=64; n=100; n=1
// One loop over two arrays; the scalar is a parameter that never reaches memory.
void axpy(int n, double alpha, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] += alpha * x[i];
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
  axpy(n, 2.5, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
