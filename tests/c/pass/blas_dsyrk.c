// function: dsyrk_lower
// sizes: n=16 k=8; n=32 k=24
// The lower triangle of a rank-k update, column-major.
void dsyrk_lower(int n, int k, const double *a, double *c) {
  for (int j = 0; j < n; j++)
    for (int l = 0; l < k; l++) {
      double t = a[j + l * n];
      for (int i = j; i < n; i++)
        c[i + j * n] += t * a[i + l * n];
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long k = atol(argv[2]);
  double *a = aligned_alloc(64, ((n * k) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * k); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *c = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  dsyrk_lower(n, k, a, c);
  trace_stop();
  free(a);
  free(c);
  return 0;
}
#endif
