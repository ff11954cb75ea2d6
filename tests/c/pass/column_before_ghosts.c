// function: upwind
// sizes: lo=1 hi=18 n=5; lo=2 hi=3 n=2
// The neighbour on the right of a cell, and beside the last one the last: a row has two ghosts on the left and three on the
// right, and the loop says that hi - lo + 4, a column, is not negative.
void upwind(int lo, int hi, int n, double *restrict d, double *restrict e) {
  for (int k = 0; k < n; k++)
    for (int j = lo; j <= hi + 2; j++) {
      int up = j + 1 < hi + 2 ? j + 1 : hi + 2;
      e[j - (lo - 2) + (hi - lo + 7) * k] = d[up - (lo - 2) + (hi - lo + 7) * k];
    }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int lo = atoi(argv[1]), hi = atoi(argv[2]), n = atoi(argv[3]);
  double *d = memset(aligned_alloc(64, 4096), 0, 4096);
  double *e = memset(aligned_alloc(64, 4096), 0, 4096);
  trace_start();
  upwind(lo, hi, n, d, e);
  trace_stop();
  free(e);
  free(d);
  return 0;
}
#endif
