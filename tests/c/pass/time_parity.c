// function: wave
// sizes: steps=4 n=64; steps=9 n=40
// Two time levels in one array, chosen by the parity of the step.
void wave(int steps, int n, double u[2][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 2][i] = 0.5 * (u[t % 2][i - 1] + u[t % 2][i + 1]);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long steps = atol(argv[1]);
  long n = atol(argv[2]);
  double *u = aligned_alloc(64, ((2 * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (2 * n); i++) u[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  wave(steps, n, (void *)u);
  trace_stop();
  free(u);
  return 0;
}
#endif
