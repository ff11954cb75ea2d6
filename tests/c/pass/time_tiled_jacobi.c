// function: time_tiled
// sizes: steps=8 n=64; steps=13 n=100
// slow: the floors of tiles that may be cut off
// Skewed and then tiled in space: every tile runs through all time steps, clipped to the domain.
#define TILE 32
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))

void time_tiled(int steps, int n, double *a) {
  for (int ss = 0; ss < steps + n; ss += TILE)
    for (int t = 0; t < steps; t++)
      for (int s = MAX(ss, t + 1); s < MIN(ss + TILE, t + n - 1); s++)
        a[s - t] = 0.25 * (a[s - t - 1] + a[s - t + 1]) + 0.5 * a[s - t];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long steps = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  time_tiled(steps, n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
