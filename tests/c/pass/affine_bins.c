// function: fold
// sizes: n=64; n=203
// Bins that follow from the position only: by division, by remainder, and by a hash that is affine.
void fold(int n, const double *a, double *coarse, double *phase, double *spread) {
  for (int i = 0; i < n; i++) {
    coarse[i / 4] += a[i];
    phase[i % 16] += a[i];
    spread[(i * 5) % 16] += a[i];
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
  double *coarse = aligned_alloc(64, ((n / 4 + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n / 4 + 1); i++) coarse[i] = (i * 7 + 3) % 11 + 1;
  double *phase = aligned_alloc(64, (16 * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < 16; i++) phase[i] = (i * 7 + 3) % 11 + 1;
  double *spread = aligned_alloc(64, (1024 * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < 1024; i++) spread[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  fold(n, a, coarse, phase, spread);
  trace_stop();
  free(a);
  free(coarse);
  free(phase);
  free(spread);
  return 0;
}
#endif
