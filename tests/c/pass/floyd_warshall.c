// function: shortest_paths
// sizes: n=16; n=40
// All shortest paths; the shorter way is chosen between values in registers.
void shortest_paths(int n, double d[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double direct = d[i][j];
        double through = d[i][k] + d[k][j];
        d[i][j] = through < direct ? through : direct;
      }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *d = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) d[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  shortest_paths(n, (void *)d);
  trace_stop();
  free(d);
  return 0;
}
#endif
