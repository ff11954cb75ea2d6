// function: clipped_window
// sizes: n=64; n=9
// Bounds clipped by if statements instead of minimum and maximum.
void clipped_window(int n, const double *a, double *out) {
  for (int i = 0; i < n; i++) {
    int lo = i - 3, hi = i + 3;
    if (lo < 0) lo = 0;
    if (hi > n - 1) hi = n - 1;
    double s = 0.0;
    for (int k = lo; k <= hi; k++)
      s += a[k];
    out[i] = s;
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
  double *out = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) out[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  clipped_window(n, a, out);
  trace_stop();
  free(a);
  free(out);
  return 0;
}
#endif
