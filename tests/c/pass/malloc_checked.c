// function: squared
// sizes: n=64; n=128
// The result of malloc is tested against NULL, as it should be.
#include <stdlib.h>

#ifdef TRACED // the traced program puts every array at the start of a line
#define malloc(bytes) aligned_alloc(64, ((bytes) + 63) / 64 * 64)
#endif

int squared(int n, double *a) {
  double *t = malloc(sizeof *t * n);
  if (t == NULL) return -1;
  for (int i = 0; i < n; i++)
    t[i] = a[i] * a[n - 1 - i];
  for (int i = 0; i < n; i++)
    a[i] = t[i];
  free(t);
  return 0;
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
  trace_start();
  squared(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
