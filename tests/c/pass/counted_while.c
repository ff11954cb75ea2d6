// function: differences
// sizes: n=64; n=2
// A while loop with its counter stepped in the middle of the body.
void differences(int n, const double *a, double *d) {
  int i = 0;
  while (i < n - 1) {
    double left = a[i];
    i++;
    d[i] = a[i] - left;
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
  double *d = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) d[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  differences(n, a, d);
  trace_stop();
  free(a);
  free(d);
  return 0;
}
#endif
