// function: count_marked
// sizes: n=64; n=1000
// A mask that is read in every step; what it decides stays in registers.
#include <stdbool.h>

double count_marked(int n, const bool *mask, const double *a) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    double v = a[i];
    s += mask[i] ? v : 0.0;
  }
  return s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  bool *mask = aligned_alloc(64, (n * sizeof(bool) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) mask[i] = i % 3 == 0;
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  count_marked(n, mask, a);
  trace_stop();
  free(mask);
  free(a);
  return 0;
}
#endif
