// function: horner
// sizes: n=64 degree=5; n=30 degree=20
// A polynomial at many points; the coefficients are read from the highest down.
void horner(int n, int degree, const double *c, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double p = c[degree];
    for (int k = degree - 1; k >= 0; --k)
      p = p * x[i] + c[k];
    y[i] = p;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long degree = atol(argv[2]);
  double *c = aligned_alloc(64, ((degree + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (degree + 1); i++) c[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  horner(n, degree, c, x, y);
  trace_stop();
  free(c);
  free(x);
  free(y);
  return 0;
}
#endif
