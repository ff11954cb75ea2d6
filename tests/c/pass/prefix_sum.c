// function: prefix_sum
// sizes: n=64; n=1000
// Each element adds to the one before, in integers.
void prefix_sum(int n, int *a) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  int *a = aligned_alloc(64, (n * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  prefix_sum(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
