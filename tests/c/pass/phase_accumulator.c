// function: oscillate
// sizes: n=100; n=29
// The phase of an oscillator wraps around by design; its upper eight bits choose a sample. Below, shifts drop upper bits.
void oscillate(unsigned n, double *out, const double *wave, double *low) {
  unsigned phase = 0;
  for (unsigned i = 0; i < n; i++) {
    out[i] = wave[phase >> 24];
    phase += 0x0B000000u;
  }
  for (unsigned i = 0; i < n; i++)
    low[(i << 29) >> 29] += (int)(i << 28) >> 28 < 0 ? 1.0 : 2.0;
  for (unsigned i = 0; i < n; i++)
    if ((int)(i << 28) >> 28 < 0)
      low[i] = 0.0;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *out = aligned_alloc(64, ((n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n); i++) out[i] = i % 7 + 1;
  double *wave = aligned_alloc(64, ((256) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (256); i++) wave[i] = i % 7 + 1;
  double *low = aligned_alloc(64, ((n + 8) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n + 8); i++) low[i] = i % 7 + 1;
  trace_start();
  oscillate(n, out, wave, low);
  trace_stop();
  free(out);
  free(wave);
  free(low);
  return 0;
}
#endif
