// function: weighted
// sizes: n=64; n=120
// A temporary on the stack from alloca, here with an alignment.
double weighted(int n, const double *a, const double *b) {
  double *w = __builtin_alloca_with_align(n * sizeof(double), 512);
  for (int i = 0; i < n; i++)
    w[i] = a[i] * b[i];
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      s += w[i] * w[j];
  return s;
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
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  weighted(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
