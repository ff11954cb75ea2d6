// function: saxpy_range
// sizes: n=64; n=777
// The loop runs while one pointer is below the end; the other one is stepped in the body.
void saxpy_range(long n, float a, const float *x, float *y) {
  const float *end = x + n;
  while (x < end) {
    *y = a * *x++ + *y;
    y++;
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
  saxpy_range(n, 2.0f, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
