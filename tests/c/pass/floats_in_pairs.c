// function: clear_pairs
// sizes: n=37; n=64; n=1
// Two floats are written at once, as one double.
void clear_pairs(int n, float x[restrict 2 * n], float y[restrict n]) {
  for (int i = 0; i < n; i++)
    *(double *)(x + 2 * i) = 0.0;
  for (int i = 0; i < n; i++)
    y[i] = x[2 * i] + x[2 * i + 1];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *x = aligned_alloc(64, (2 * n * sizeof(float) + 63) / 64 * 64);
  float *y = aligned_alloc(64, (n * sizeof(float) + 63) / 64 * 64);
  trace_start();
  clear_pairs(n, x, y);
  trace_stop();
  return argc > 2;
}
#endif
