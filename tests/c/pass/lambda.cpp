// function: apply_twice
// sizes: n=64; n=90
// Lambda functions, captured by reference and handed to a template.
template <typename F> static void for_each_index(int n, F f) {
  for (int i = 0; i < n; ++i)
    f(i);
}

extern "C" double apply_twice(int n, double *x) {
  double sum = 0.0;
  for_each_index(n, [=](int i) { x[i] *= 2.0; });
  for_each_index(n, [&](int i) { sum += x[n - 1 - i]; });
  return sum;
}

#ifdef TRACED
#include <stdlib.h>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *x = (double *)aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  apply_twice(n, x);
  trace_stop();
  free(x);
  return 0;
}
#endif
