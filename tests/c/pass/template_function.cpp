// function: axpy_float
// sizes: n=64; n=100
// A template, instantiated by a function with a plain name.
template <typename T> static void axpy(int n, T a, const T *x, T *y) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

extern "C" void axpy_float(int n, float a, const float *x, float *y) { axpy(n, a, x, y); }

#ifdef TRACED
#include <stdlib.h>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *x = (float *)aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  float *y = (float *)aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  axpy_float(n, 2.0f, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
