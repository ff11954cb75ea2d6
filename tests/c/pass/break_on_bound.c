// function: prefix_only
// sizes: n=64 m=20; n=64 m=64; n=20 m=64
// A loop left by a break as soon as the counter reaches a second size, which may be beyond its end.
void prefix_only(int n, int m, double *a) {
  for (int i = 0; i < n; i++) {
    if (i == m) break;
    a[i] = 0.0;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  prefix_only(n, m, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
