// function: coarsen
// sizes: n=16; n=101
// Every second element and its neighbours go to a coarse grid, and back by interpolation.
void coarsen(int n, double *fine, double *coarse) {
  for (int i = 1; i < n; i++)
    coarse[i] = 0.25 * fine[2 * i - 1] + 0.5 * fine[2 * i] + 0.25 * fine[2 * i + 1];
  for (int i = 0; i < n; i++) {
    fine[i << 1] += coarse[i];
    fine[(i << 1) + 1] += 0.5 * (coarse[i] + coarse[i + 1]);
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *fine = aligned_alloc(64, ((2 * n + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (2 * n + 1); i++) fine[i] = (i * 7 + 3) % 11 + 1;
  double *coarse = aligned_alloc(64, ((n + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n + 1); i++) coarse[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  coarsen(n, fine, coarse);
  trace_stop();
  free(fine);
  free(coarse);
  return 0;
}
#endif
