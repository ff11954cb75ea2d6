// function: scaled_sum_
// sizes: n=24 incx=2 incy=-1; n=9 incx=2 incy=-1
// flags: --assume 'incx = 2, incy = -1'
// Increments that are passed by reference, as by Fortran: with their values the subscripts are affine.
void scaled_sum_(const int *restrict n, const double *restrict x, const int *restrict incx, double *restrict y,
                 const int *restrict incy) {
  int ix = 0, iy = 0;
  if (*incx < 0)
    ix = (1 - *n) * *incx;
  if (*incy < 0)
    iy = (1 - *n) * *incy;
  for (int i = 0; i < *n; i++) {
    y[iy] += 3.0 * x[ix];
    ix += *incx;
    iy += *incy;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  _Alignas(64) int n = atoi(argv[1]);
  _Alignas(64) int incx = atoi(argv[2]);
  _Alignas(64) int incy = atoi(argv[3]);
  double *x = aligned_alloc(64, 64 * sizeof(double)), *y = aligned_alloc(64, 64 * sizeof(double));
  for (int i = 0; i < 64; i++) x[i] = y[i] = i;
  trace_start();
  scaled_sum_(&n, x, &incx, y, &incy);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
