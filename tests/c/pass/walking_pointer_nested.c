// function: outer_product
// sizes: n=16 m=24; n=40 m=8
// One pointer walks through the matrix in two loops, another starts anew in each row.
void outer_product(int n, int m, const double *x, const double *y, double *A) {
  double *out = A;
  for (int i = 0; i < n; i++) {
    const double xi = *x++;
    const double *q = y;
    for (int j = 0; j < m; j++)
      *out++ = xi * *q++;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) y[i] = (i * 7 + 3) % 11 + 1;
  double *A = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  outer_product(n, m, x, y, A);
  trace_stop();
  free(x);
  free(y);
  free(A);
  return 0;
}
#endif
