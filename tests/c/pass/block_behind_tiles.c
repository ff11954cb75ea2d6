// function: factor
// sizes: n=24; n=8; n=16
// flags: --assume 'n mod 4 = 0 and n >= 5'
// A block behind a loop in steps of 4. Where n is a multiple of 4 it begins at n - 4.
void factor(int n, double *a) {
  int off;
  for (off = 0; off < n - 4; off += 4) {
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        a[(off + i) * n + off + j] += 1.0;
    int chunks = (n - off) / 4 - 1;
    for (int c = 0; c < chunks; c++)
      for (int j = 0; j < 4; j++)
        a[off * n + off + 4 * (c + 1) + j] += 2.0;
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      a[(off + i) * n + off + j] += 1.0;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n * n; i++) a[i] = i;
  trace_start();
  factor(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
