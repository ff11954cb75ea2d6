// function: difference_table
// sizes: n=24; n=64
// A helper with loops, called within a loop with a size and a pointer that depend on the counter.
static void differences(double *a, int count) {
  for (int i = count - 1; i > 0; i--)
    a[i] -= a[i - 1];
}

void difference_table(int n, double *a) {
  for (int level = 0; level < n - 1; level++)
    differences(a + level, n - level);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  difference_table(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
