// function: bounded
// sizes: n=24 m=9; n=6 m=2; n=4 m=7; n=8 m=7; n=9 m=6
// flags: --registers optimized
// A loop with two ends, of which the sizes decide which comes first; the index of the step before is kept in a register.
void bounded(int n, int m, double *restrict a, double *restrict b) {
  int i = 0;
  for (;;) {
    int before = i;
    if (++i > n)
      break;
    a[i] = 1;
    if (before >= m) {
      b[before] = 1;
      if (before > m + 2)
        return;
    }
  }
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
  bounded(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
