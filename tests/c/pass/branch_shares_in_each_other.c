// function: sorted
// sizes: n=40; n=16
// flags: --branch 7=0.5 --branch 8=1/4 --branch 10=0.5
// Shares of conditions in each other are shares of the iterations that test them; the data here are such that these are the same ones.
void sorted(int n, const double *a, const double *c, double *b, double *d) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0.0) {
      if (c[i] > 0.0)
        d[i] = 1.0;
    } else if (c[i] > 0.0)
      b[i] = 1.0;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *arrays[4];
  for (int k = 0; k < 4; k++) arrays[k] = aligned_alloc(64, 4096);
  for (int i = 0; i < n; i++) {
    arrays[0][i] = i % 2 == 0 ? 1.0 : -1.0;
    arrays[1][i] = i % 8 == 0 || i % 4 == 1 ? 1.0 : -1.0;
  }
  trace_start();
  sorted(n, arrays[0], arrays[1], arrays[2], arrays[3]);
  trace_stop();
  for (int k = 0; k < 4; k++) free(arrays[k]);
  return 0;
}
#endif
