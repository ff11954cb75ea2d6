// function: wave
// sizes: steps=5 n=24; steps=4 n=40
// Three time levels in turn, a flag that is toggled, and the pointer to the last one after the loop.
double wave(int steps, int n, double *before, double *now, double *after, double *energy) {
  int half = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      after[i] = 2 * now[i] - before[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    energy[8 * half] += after[1];
    half = 1 - half;
    double *free_level = before;
    before = now;
    now = after;
    after = free_level;
  }
  return now[n - 1];
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long steps = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = zeros(n * sizeof(double)), *b = zeros(n * sizeof(double));
  double *c = zeros(n * sizeof(double)), *energy = zeros(16 * sizeof(double));
  trace_start();
  wave(steps, n, a, b, c, energy);
  trace_stop();
  return 0;
}
#endif
