// function: gemv_by_flags
// sizes: ta=0 tb=0 n=24; ta=1 tb=0 n=24; ta=0 tb=-3 n=16; ta=2 tb=1 n=16
// Two flags choose one of two nests; a flag may be 0, negative, or anything.
void gemv_by_flags(int ta, int tb, int n, const double *b, double *c) {
  if (!ta && !tb) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) c[i * n + j] += b[i * n + j];
  } else {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) c[i * n + j] += b[j * n + i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long ta = atol(argv[1]);
  long tb = atol(argv[2]);
  long n = atol(argv[3]);
  double *b = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) b[i] = (i * 7 + 3) % 11 + 1;
  double *c = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  gemv_by_flags(ta, tb, n, b, c);
  trace_stop();
  free(b);
  free(c);
  return 0;
}
#endif
