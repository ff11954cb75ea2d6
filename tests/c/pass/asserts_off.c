// function: checked_scale
// sizes: n=64; n=100
// Assertions that are compiled away.
#define NDEBUG
#include <assert.h>
#include <stddef.h>

void checked_scale(int n, double *a, double f) {
  assert(a != NULL);
  for (int i = 0; i < n; i++) {
    assert(a[i] >= 0.0);
    a[i] *= f;
  }
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
  checked_scale(n, a, 2.0);
  trace_stop();
  free(a);
  return 0;
}
#endif
