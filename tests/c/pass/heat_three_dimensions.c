// function: heat
// sizes: n=8 m=16; n=16 m=24
// The seven-point stencil in three dimensions of variable length.
void heat(int n, int m, double u[n][n][m], double v[n][n][m]) {
  const double c = 0.125;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < m - 1; k++)
        v[i][j][k] = u[i][j][k] + c * (u[i + 1][j][k] - 2.0 * u[i][j][k] + u[i - 1][j][k]) +
                     c * (u[i][j + 1][k] - 2.0 * u[i][j][k] + u[i][j - 1][k]) +
                     c * (u[i][j][k + 1] - 2.0 * u[i][j][k] + u[i][j][k - 1]);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *u = aligned_alloc(64, ((n * n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n * m); i++) u[i] = (i * 7 + 3) % 11 + 1;
  double *v = aligned_alloc(64, ((n * n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n * m); i++) v[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  heat(n, m, (void *)u, (void *)v);
  trace_stop();
  free(u);
  free(v);
  return 0;
}
#endif
