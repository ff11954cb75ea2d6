// function: periodic
// sizes: n=64; n=33
// The neighbours of a ring, by conditional expressions inside the subscripts.
void periodic(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[i == 0 ? n - 1 : i - 1] + a[i == n - 1 ? 0 : i + 1];
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
  periodic(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
