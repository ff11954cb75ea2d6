// function: two_halves
// sizes: n=64; n=96
// A branch on the position, before or after the middle of the array.
void two_halves(int n, double *a, const double *b, const double *c) {
  int mid = n / 2;
  for (int i = 0; i < n; i++) {
    if (i < mid)
      a[i] += b[i] * c[i];
    else
      a[i] += b[i - mid];
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
  double *c = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  two_halves(n, a, b, c);
  trace_stop();
  free(a);
  free(b);
  free(c);
  return 0;
}
#endif
