// function: suffix_sum
// sizes: n=64; n=333
// Counting an unsigned number down to zero: the test decrements, so the body never sees n.
#include <stddef.h>

void suffix_sum(size_t n, double *a) {
  for (size_t i = n; i-- > 0;)
    a[i] += a[i + 1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, ((n + 1) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n + 1); i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  suffix_sum(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
