// function: halves
// sizes: n=9 m=40; n=20 m=13; n=3 m=3; n=8 m=16
// flags: --registers optimized
// Two counters with an end each: whichever comes first, the one that goes down has not become negative.
void halves(int n, int m, double *restrict a, const double *restrict b) {
  for (int i = 0, j = m; i < n && j > 0; i++, j -= 2)
    a[i] = b[j];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) { return memset(aligned_alloc(64, bytes), 0, bytes); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = zeros(64 * sizeof(double)), *b = zeros(64 * sizeof(double));
  trace_start();
  halves(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
