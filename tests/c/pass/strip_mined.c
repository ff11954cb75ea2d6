// function: strips
// sizes: n=64; n=100; n=31
// Strips of 32 elements, the length of the last one computed before its loop.
void strips(int n, const float *x, float *y) {
  for (int start = 0; start < n; start += 32) {
    int length = n - start;
    if (length > 32) length = 32;
    const float *xs = x + start;
    float *ys = y + start;
    for (int i = 0; i < length; i++)
      ys[i] = xs[i] * xs[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *x = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  float *y = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  strips(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
