// function: three_point
// sizes: n=64; n=500
// Three values rotate through registers, so each element is read once.
void three_point(int n, const double *a, double *out) {
  if (n < 3) return;
  double left = a[0], here = a[1];
  for (int i = 1; i < n - 1; i++) {
    double right = a[i + 1];
    out[i] = (left + here + right) / 3.0;
    left = here;
    here = right;
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
  three_point(n, a, out);
  trace_stop();
  free(a);
  free(out);
  return 0;
}
#endif
