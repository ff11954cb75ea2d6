// function: doubled
// sizes: n=24; n=19; n=3
// flags: --registers optimized
// An optimiser compares the counter as unsigned, with the flag that both numbers have the same sign.
void doubled(int n, float *restrict a) {
  for (int i = n - 1; i >= 0; i--)
    a[i] = a[i] * 2.0f;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  float *a = memset(aligned_alloc(64, 64 * sizeof(float)), 0, 64 * sizeof(float));
  trace_start();
  doubled(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
