// function: endless
// sizes: n=64; n=100
// for (;;) with the test in the middle: the read happens once more often than the write.
void endless(int n, const double *a, double *b) {
  int i = 0;
  for (;;) {
    double t = a[i];
    if (i >= n) break;
    b[i] = t + 1.0;
    i++;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, ((n + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n + 1); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  endless(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
