// function: sweep_
// sizes: n=24; n=7
// flags: --assume 'incx = -1'
// Loops as f2c writes them where the step is a variable: one test for each direction, of which one is ever looked at.
void sweep_(const int *restrict n, double *restrict x, const int *restrict incx, double *restrict y) {
  int i__, i__1, i__2, first, last, step;
  if (*incx > 0) {
    first = 0;
    last = *n - 1;
    step = 1;
  } else {
    first = *n - 1;
    last = 0;
    step = -1;
  }
  i__1 = last;
  i__2 = step;
  for (i__ = first; i__2 < 0 ? i__ >= i__1 : i__ <= i__1; i__ += i__2) x[i__] += 1.0;
  i__1 = *n - 1;
  i__2 = 2;
  for (i__ = 0; i__2 < 0 ? i__ >= i__1 : i__ <= i__1; i__ += i__2) y[i__] = x[i__];
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
  if (argc < 2) return 2;
  _Alignas(64) int n = atoi(argv[1]);
  _Alignas(64) int incx = -1;
  double *x = zeros(n * sizeof(double)), *y = zeros(n * sizeof(double));
  trace_start();
  sweep_(&n, x, &incx, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
