// function: never_executed
// sizes: n=40; n=7
// The first write never runs, which only the quotient tells, and rows of the other array do not fill lines.
void never_executed(int n, double *restrict d, double (*restrict g)[9]) {
  for (int i = 1; i < n; i++) {
    if (2 * i >= n) {
      if (i < n / 8)
        d[i] = 1;
      else
        g[i][2] = 1;
    }
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *d = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double(*g)[9] = aligned_alloc(64, (n * sizeof(*g) + 64) / 64 * 64);
  trace_start();
  never_executed(n, d, g);
  trace_stop();
  free(d);
  free(g);
  return 0;
}
#endif
