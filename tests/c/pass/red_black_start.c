// function: red_black_strided
// sizes: n=16; n=40
// The checkerboard again, with a step of two and a start that depends on the parity of the row.
void red_black_strided(int n, double u[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1 + (i & 1); j < n - 1; j += 2)
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *u = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) u[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  red_black_strided(n, (void *)u);
  trace_stop();
  free(u);
  return 0;
}
#endif
