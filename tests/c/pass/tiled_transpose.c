// function: tiled_transpose
// sizes: n=16 m=24; n=64 m=40
// Transposition in tiles of eight by eight, the test on the end within the inner loops.
void tiled_transpose(int n, int m, const double *from, double *to) {
  for (int i0 = 0; i0 < n; i0 += 8)
    for (int j0 = 0; j0 < m; j0 += 8)
      for (int i = i0; i < i0 + 8 && i < n; i++)
        for (int j = j0; j < j0 + 8 && j < m; j++)
          to[j * n + i] = from[i * m + j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *from = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) from[i] = (i * 7 + 3) % 11 + 1;
  double *to = aligned_alloc(64, ((m * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * n); i++) to[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  tiled_transpose(n, m, from, to);
  trace_stop();
  free(from);
  free(to);
  return 0;
}
#endif
