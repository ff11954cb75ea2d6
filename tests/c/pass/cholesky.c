// function: cholesky
// sizes: n=16; n=40
// The Cholesky factor, row by row, in a flat array.
#include <math.h>

void cholesky(int n, double *a) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double s = a[i * n + j];
      for (int k = 0; k < j; k++)
        s -= a[i * n + k] * a[j * n + k];
      if (i == j)
        a[i * n + i] = sqrt(s);
      else
        a[i * n + j] = s / a[j * n + j];
    }
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  cholesky(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
