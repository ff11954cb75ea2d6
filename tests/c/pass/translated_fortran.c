// function: symm_
// sizes: n=16 a_dim1=16; n=9 a_dim1=24
// What f2c makes of Fortran: sizes behind pointers, arrays that start at 1 by moving the pointer back.
int symm_(const int *n, const double *a, const int *lda, const double *x, double *y) {
  int a_dim1, a_offset, i__, j;
  a_dim1 = *lda;
  a_offset = 1 + a_dim1;
  a -= a_offset;
  --x;
  --y;
  for (j = 1; j <= *n; ++j) {
    double temp1 = x[j];
    double temp2 = 0.;
    y[j] += temp1 * a[j + j * a_dim1];
    for (i__ = j + 1; i__ <= *n; ++i__) {
      y[i__] += temp1 * a[i__ + j * a_dim1];
      temp2 += a[i__ + j * a_dim1] * x[i__];
    }
    y[j] += temp2;
  }
  return 0;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  _Alignas(64) int n = atoi(argv[1]);
  _Alignas(64) int lda = atoi(argv[2]);
  double *a = zeros(n * lda * sizeof(double)), *x = zeros(n * sizeof(double)), *y = zeros(n * sizeof(double));
  trace_start();
  symm_(&n, a, &lda, x, y);
  trace_stop();
  return 0;
}
#endif
