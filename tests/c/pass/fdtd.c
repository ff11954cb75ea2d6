// function: fdtd
// sizes: steps=2 n=16 m=24; steps=4 n=20 m=40
// Three fields updated in turn; the first row is set from the time step before that.
void fdtd(int steps, int n, int m, double ex[n][m], double ey[n][m], double hz[n][m]) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < m; j++)
      ey[0][j] = t;
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long steps = atol(argv[1]);
  long n = atol(argv[2]);
  long m = atol(argv[3]);
  double *ex = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) ex[i] = (i * 7 + 3) % 11 + 1;
  double *ey = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) ey[i] = (i * 7 + 3) % 11 + 1;
  double *hz = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) hz[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  fdtd(steps, n, m, (void *)ex, (void *)ey, (void *)hz);
  trace_stop();
  free(ex);
  free(ey);
  free(hz);
  return 0;
}
#endif
