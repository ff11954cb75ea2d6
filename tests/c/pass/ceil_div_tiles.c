// function: tile_sums
// sizes: n=64; n=70; n=5
// Tiles counted by a division that rounds up; the position is computed from tile and offset and tested.
enum { TILE = 8 };

void tile_sums(int n, const double *a, double *sums) {
  int tiles = (n + TILE - 1) / TILE;
  for (int t = 0; t < tiles; t++) {
    sums[t] = 0.0;
    for (int o = 0; o < TILE; o++)
      if (t * TILE + o < n) sums[t] += a[t * TILE + o];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *sums = aligned_alloc(64, ((n / 8 + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n / 8 + 1); i++) sums[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  tile_sums(n, a, sums);
  trace_stop();
  free(a);
  free(sums);
  return 0;
}
#endif
