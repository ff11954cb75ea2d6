// function: shrinking
// sizes: n=64 steps=5; n=40 steps=20; n=64 steps=40
// A stencil whose range shrinks on both sides with each step, until it is empty.
void shrinking(int n, int steps, double *a, double *b) {
  for (int t = 1; t <= steps; t++) {
    for (int i = t; i < n - t; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = t; i < n - t; i++)
      a[i] = b[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long steps = atol(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  shrinking(n, steps, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
