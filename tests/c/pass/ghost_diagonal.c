// function: ghost_diagonal
// sizes: n=6; n=22
// Rows that are longer than a size, in planes of this size, and such rows of which only the diagonal and two fixed ones are accessed.
void ghost_diagonal(int n, double planes[restrict n][n][n + 2], double ghosts[restrict n + 2][n + 2]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        planes[i][j][k] *= 2.0;
  for (int i = 0; i < n; i++)
    ghosts[i + 1][i] = 1.0;
  for (int i = 0; i < n; i++)
    ghosts[n + 1][i] = ghosts[1][i];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *planes = aligned_alloc(64, (n * n * (n + 2) * sizeof(double) + 64) / 64 * 64);
  double *ghosts = aligned_alloc(64, ((n + 2) * (n + 2) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n * n * (n + 2); i++) planes[i] = i % 7;
  for (long i = 0; i < (n + 2) * (n + 2); i++) ghosts[i] = i % 5;
  trace_start();
  ghost_diagonal(n, (void *)planes, (void *)ghosts);
  trace_stop();
  free(planes);
  free(ghosts);
  return 0;
}
#endif
