// function: mirror_
// sizes: n=24 flags=1 flags_8=0; n=24 flags=0 flags_8=1; n=9 flags=1 flags_8=1; n=9 flags=2 flags_8=-1
// Flags in an array from 1 on, as translated from Fortran: subscripts that are computed from constants.
#define AT(index, first) ((index) - (first))

void mirror_(const int *restrict n, const int *restrict flags, double *restrict x, double *restrict y) {
  int first = 1, third = 3;
  if (flags[AT(first, 1)] == 1)
    for (int i = 0; i < *n; i++) x[i] = x[2 * *n - i];
  if (flags[AT(third, 1)] == 1)
    for (int i = 0; i < *n; i++) y[i] = x[i];
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
  if (argc < 4) return 2;
  _Alignas(64) int n = atoi(argv[1]);
  _Alignas(64) int flags[16] = {atoi(argv[2]), 0, atoi(argv[3])};
  double *x = zeros((2 * n + 1) * sizeof(double)), *y = zeros(n * sizeof(double));
  trace_start();
  mirror_(&n, flags, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
