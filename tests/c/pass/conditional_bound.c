// function: shorter_of_two
// sizes: n=64 m=20; n=20 m=64; n=32 m=32
// The bound is the smaller one of two sizes, chosen by ?: before the loop.
double shorter_of_two(int n, int m, const double *a, const double *b) {
  const int len = n < m ? n : m;
  double s = 0.0;
  for (int i = 0; i < len; i++)
    s += a[i] * b[i];
  return s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  shorter_of_two(n, m, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
