// function: difference
// sizes: n=24 m=5; n=4 m=15; n=9 m=9
// flags: --registers optimized
// An optimiser reads the number of iterations, an absolute value, as unsigned.
void difference(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < (n > m ? n - m : m - n); i++)
    a[i] += b[i];
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
  difference(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
