// function: skewed_jacobi
// sizes: steps=4 n=32; steps=10 n=64
// Time steps of a one-dimensional stencil in place, skewed: the loop over space starts at the time.
void skewed_jacobi(int steps, int n, double *a) {
  for (int t = 0; t < steps; t++)
    for (int s = t + 1; s < t + n - 1; s++)
      a[s - t] = (a[s - t - 1] + a[s - t] + a[s - t + 1]) / 3.0;
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
  trace_start();
  skewed_jacobi(steps, n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
