// function: spread
// sizes: n=24; n=3
// flags: --registers none
// Variables whose addresses are in others: results through pointers, two pointers that a helper exchanges, a pointer to a counter.
static inline __attribute__((always_inline)) void bounds(int n, const double *a, double *low, double *high) {
  *low = a[0];
  *high = a[0];
  for (int i = 1; i < n; i++) {
    *low += a[i];
    *high -= a[i];
  }
}

static inline __attribute__((always_inline)) void exchange(double **first, double **second) {
  double *old = *first;
  *first = *second;
  *second = old;
}

double spread(int n, double *restrict a, double *restrict b) {
  double low, high;
  double *from = a, *to = b;
  int kept = 2, *step = &kept;
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < n; i++)
      to[i] = from[i] * *step;
    exchange(&from, &to);
  }
  bounds(n, a, &low, &high);
  return high - low;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (int i = 0; i < n; i++) a[i] = i;
  trace_start();
  double width = spread(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return width != width;
}
#endif
