// function: countdown
// sizes: n=24; n=1
// flags: --registers none
// Nothing in registers: a walking pointer, a helper that is always inlined, conditions in parts, an early `continue`.
static inline __attribute__((always_inline)) double twice(double x) { return x + x; }

double countdown(int n, double *a) {
  double sum = 0.0;
  double *p = a;
  int left = n;
  while (left > 0) {
    left--;
    p++;
    if (left > 3 && left % 2 == 0)
      continue;
    sum += twice(p[-1]);
  }
  return sum;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (int i = 0; i < n; i++) a[i] = i;
  trace_start();
  double sum = countdown(n, a);
  trace_stop();
  free(a);
  return sum < 0;
}
#endif
