// function: reversed
// sizes: n=24 m=5; n=4 m=15; n=9 m=9; n=3 m=2
// flags: --registers optimized
// The vectorised loop masks the number of iterations, which is not negative in either case.
#include <stddef.h>

void reversed(unsigned n, unsigned m, double *restrict a, const double *restrict b) {
  size_t length = n > m + 2 ? n - m - 2 : (m > 4 ? m - 4 : 0);
  for (size_t i = 0; i + 1 < length; i++)
    a[i] = b[length - 1 - i];
  a[40] = 1;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) { return memset(aligned_alloc(64, bytes), 0, bytes); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  unsigned n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = zeros(64 * sizeof(double)), *b = zeros(64 * sizeof(double));
  trace_start();
  reversed(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
