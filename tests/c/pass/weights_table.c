// function: five_point_filter
// sizes: n=64; n=200
// A constant table of weights in memory, read with the counter of the inner loop.
_Alignas(64) static const double weight[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};

void five_point_filter(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int k = 0; k < 5; k++)
      s += weight[k] * x[i + k];
    y[i] = s;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *x = aligned_alloc(64, ((n + 4) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n + 4); i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  five_point_filter(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
