// function: fill
// sizes: n=64; n=1000
// The parameter itself is counted down to zero.
void fill(float *p, int n, float value) {
  while (n--)
    *p++ = value;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *p = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) p[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  fill(p, n, 1.0f);
  trace_stop();
  free(p);
  return 0;
}
#endif
