// function: copy_shifted
// sizes: n=64; n=129
// A copy into an array that is one element longer, from the second element on.
void copy_shifted(int n, const float *from, float *to) {
  to[0] = 0.0f;
  for (int i = 0; i < n; i++)
    to[i + 1] = from[i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *from = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) from[i] = (i * 7 + 3) % 11 + 1;
  float *to = aligned_alloc(64, ((n + 1) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (n + 1); i++) to[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  copy_shifted(n, from, to);
  trace_stop();
  free(from);
  free(to);
  return 0;
}
#endif
