// function: gaussian
// sizes: n=64; n=100
// Functions of the mathematical library touch no memory.
#include <math.h>

void gaussian(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double r = sqrt(fabs(x[i])) + pow(x[i], 1.5);
    y[i] = fmax(exp(-0.5 * r * r), 1e-12) + sin(floor(r)) * cos(r);
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
  gaussian(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
