// function: unsigned_halves
// sizes: n=40; n=39
// Multiples of unsigned counters that begin at a quotient, less a constant that no iteration makes negative.
void unsigned_halves(unsigned n, float *restrict a, const float *restrict b) {
  for (unsigned j = n / 2; j > 0; j--) a[2 * j - 2] = b[j];
  for (unsigned j = n / 4 + 1; j > 0; j--) a[4 * j - 3] += b[j];
  for (unsigned j = 0; j < n / 4; j++) a[4 * (n / 4) - 4 * j - 4] += b[j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *a = aligned_alloc(64, ((n + 16) * sizeof(float) + 64) / 64 * 64);
  float *b = aligned_alloc(64, ((n + 16) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n + 16; i++) a[i] = b[i] = i;
  trace_start();
  unsigned_halves(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
