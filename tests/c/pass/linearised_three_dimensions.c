// function: scale_volume
// sizes: p=5 n=6 m=16; p=8 n=9 m=8
// Three dimensions by hand: (i * n + j) * m + k.
void scale_volume(int p, int n, int m, double *a, const double *w) {
  for (int i = 0; i < p; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        a[(i * n + j) * m + k] *= w[k];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long p = atol(argv[1]);
  long n = atol(argv[2]);
  long m = atol(argv[3]);
  double *a = aligned_alloc(64, ((p * n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (p * n * m); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *w = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) w[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  scale_volume(p, n, m, a, w);
  trace_stop();
  free(a);
  free(w);
  return 0;
}
#endif
