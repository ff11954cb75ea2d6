// function: inner_only
// sizes: n=1; n=2; n=3; n=10
// Loops that run no time at all at the smallest sizes, around loops that would.
void inner_only(int n, double *a, double *b) {
  for (int i = 2; i < n - 2; i++)
    b[i] = a[i - 2] + a[i + 2];
  for (int i = 3; i < n; i++)
    for (int j = 0; j < 2; j++)
      a[j] += b[i];
  a[0] = 0.0;
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
  inner_only(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
