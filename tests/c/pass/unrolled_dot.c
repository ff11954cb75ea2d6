// function: unrolled_dot
// sizes: n=60; n=63; n=101
// Unrolled by five by hand, after the remainder.
float unrolled_dot(int n, const float *x, const float *y) {
  float s = 0.f;
  int m = n % 5;
  for (int i = 0; i < m; i++)
    s += x[i] * y[i];
  for (int i = m; i < n; i += 5)
    s += x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2] + x[i + 3] * y[i + 3] + x[i + 4] * y[i + 4];
  return s;
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
  unrolled_dot(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
