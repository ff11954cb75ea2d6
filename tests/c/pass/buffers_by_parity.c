// function: relax
// sizes: steps=2 n=64; steps=5 n=40
// Two buffers change their roles with each step, by the parity of the step.
void relax(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    const double *from = t % 2 == 0 ? a : b;
    double *to = t % 2 == 0 ? b : a;
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.5 * (from[i - 1] + from[i + 1]);
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long steps = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  relax(steps, n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
