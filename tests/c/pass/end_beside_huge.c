// function: never
// sizes: n=9 m=3; n=1 m=2; n=64 m=24
// As an unsigned number the counter never is as large as -1, so the first loop has no iterations.
#include <stddef.h>

void never(size_t n, size_t m, int *restrict a, int *restrict b) {
  size_t i = n - 1;
  while (i >= (size_t)-1) {
    a[i] += 1;
    i--;
  }
  for (size_t j = 0; j < m; j++)
    b[j] += 1;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  static int a[64] __attribute__((aligned(64))), b[64] __attribute__((aligned(64)));
  trace_start();
  never(atol(argv[1]), atol(argv[2]), a, b);
  trace_stop();
  return 0;
}
#endif
