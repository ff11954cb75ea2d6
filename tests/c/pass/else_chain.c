// function: three_zones
// sizes: n=64 l=10 r=50; n=64 l=40 r=20
// A chain of else if over zones whose borders are sizes; either border may come first.
void three_zones(int n, int l, int r, double *a, double *b, double *c) {
  for (int i = 0; i < n; i++) {
    if (i < l)
      a[i] = 1.0;
    else if (i < r)
      b[i] = 2.0;
    else
      c[i] = a[i] + b[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long n = atol(argv[1]);
  long l = atol(argv[2]);
  long r = atol(argv[3]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  double *c = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  three_zones(n, l, r, a, b, c);
  trace_stop();
  free(a);
  free(b);
  free(c);
  return 0;
}
#endif
