// function: two_products
// sizes: n=16; n=32
// A function with loops, called with different arrays, the second time with what the first one wrote.
static void product(int n, double A[n][n], const double *in, double *out) {
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int j = 0; j < n; j++)
      s += A[i][j] * in[j];
    out[i] = s;
  }
}

void two_products(int n, double A[n][n], double *x, double *y, double *z) {
  product(n, A, x, y);
  product(n, A, y, z);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  double *z = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) z[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  two_products(n, (void *)A, x, y, z);
  trace_stop();
  free(A);
  free(x);
  free(y);
  free(z);
  return 0;
}
#endif
