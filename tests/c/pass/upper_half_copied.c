// function: copy_half
// sizes: n=8; n=24; n=16
// A condition on counters within a statement: half of the elements are read.
void copy_half(int n, double a[restrict n][n], double b[restrict n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] = i > n / 2 ? b[i][j] : 0;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double(*a)[n] = aligned_alloc(64, (8 * n * n + 64) / 64 * 64);
  double(*b)[n] = aligned_alloc(64, (8 * n * n + 64) / 64 * 64);
  for (long i = 0; i < n * n; i++) a[0][i] = b[0][i] = i;
  trace_start();
  copy_half(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
