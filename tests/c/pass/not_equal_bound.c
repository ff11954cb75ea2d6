// function: pairs
// sizes: n=32; n=75
// A test with != and a step of two that meets the end exactly, as it is twice a size.
void pairs(int n, const float *a, float *out) {
  for (int i = 0; i != 2 * n; i += 2)
    out[i / 2] = a[i] + a[i + 1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *a = aligned_alloc(64, ((2 * n) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (2 * n); i++) a[i] = (i * 7 + 3) % 11 + 1;
  float *out = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) out[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  pairs(n, a, out);
  trace_stop();
  free(a);
  free(out);
  return 0;
}
#endif
