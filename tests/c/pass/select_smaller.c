// function: pick_smaller
// sizes: n=64; n=500
// passes: inline,function(sroa,early-cse<memssa>)
// A conditional expression on data that reads again one of the two elements it has just compared.
void pick_smaller(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] < b[i] ? a[i] : b[i];
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
  for (long i = 0; i < n; i++) a[i] = i * 5 % 13 + i / 20;
  trace_start();
  pick_smaller(n, a, b, c);
  trace_stop();
  free(a);
  free(b);
  free(c);
  return 0;
}
#endif
