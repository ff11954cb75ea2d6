// function: daxpy_dense
// sizes: n=64; n=103
// flags: --branch 6=0
// A general routine with increments, called with increments of one: its other half is dead after inlining.
static inline void daxpy(int n, double da, const double *dx, int incx, double *dy, int incy) {
  if (n <= 0 || da == 0.0) return;
  if (incx == 1 && incy == 1) {
    int m = n % 4;
    for (int i = 0; i < m; i++)
      dy[i] += da * dx[i];
    for (int i = m; i < n; i += 4) {
      dy[i] += da * dx[i];
      dy[i + 1] += da * dx[i + 1];
      dy[i + 2] += da * dx[i + 2];
      dy[i + 3] += da * dx[i + 3];
    }
    return;
  }
  int ix = incx < 0 ? (1 - n) * incx : 0;
  int iy = incy < 0 ? (1 - n) * incy : 0;
  for (int i = 0; i < n; i++) {
    dy[iy] += da * dx[ix];
    ix += incx;
    iy += incy;
  }
}

void daxpy_dense(int n, const double *x, double *y) {
  daxpy(n, 3.0, x, 1, y, 1);
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
  daxpy_dense(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
