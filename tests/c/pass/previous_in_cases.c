// function: runs
// sizes: n=24 m=5; n=4 m=15; n=9 m=9
// `last` is the index of the step before, in a loop with an end of its own for n > m and for the rest.
void runs(int n, int m, double *restrict a, double *restrict b) {
  int length = n > m ? n - m : m - n, last = 0;
  for (int i = 1; i < length; i++) {
    if (last >= 2)
      b[last] = a[i];
    else
      a[last] = 1;
    last = i;
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
  runs(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
