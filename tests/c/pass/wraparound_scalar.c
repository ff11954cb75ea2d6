// function: smooth
// sizes: n=64; n=1000
// The scalar im1 holds the index of the step before, and of the last element in the first step.
void smooth(int n, double *a, const double *b) {
  int im1 = n - 1;
  for (int i = 0; i < n; i++) {
    a[i] = (b[i] + b[im1]) * 0.5;
    im1 = i;
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
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  smooth(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
