// function: dtrsm
// sizes: m=16 n=8; m=24 n=16
// Solves with an upper triangle for several right-hand sides, from the last row up.
void dtrsm(int m, int n, const double *a, double *b) {
  for (int j = 0; j < n; j++)
    for (int k = m - 1; k >= 0; k--) {
      b[k + j * m] /= a[k + k * m];
      for (int i = 0; i < k; i++)
        b[i + j * m] -= b[k + j * m] * a[i + k * m];
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long m = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = aligned_alloc(64, ((m * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * m); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, ((m * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * n); i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  dtrsm(m, n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
