// function: interleave
// sizes: n=64; n=35
// Two counters with different steps in one for statement.
void interleave(int n, const float *l, const float *r, float *out) {
  for (int i = 0, k = 0; i < n; i++, k += 2) {
    out[k] = l[i];
    out[k + 1] = r[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *l = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) l[i] = (i * 7 + 3) % 11 + 1;
  float *r = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) r[i] = (i * 7 + 3) % 11 + 1;
  float *out = aligned_alloc(64, ((2 * n) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (2 * n); i++) out[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  interleave(n, l, r, out);
  trace_stop();
  free(l);
  free(r);
  free(out);
  return 0;
}
#endif
