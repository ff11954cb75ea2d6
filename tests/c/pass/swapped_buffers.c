// function: diffuse
// sizes: steps=4 n=24; steps=3 n=40
// The pointers to the two buffers change places after each step, so which array is read depends on whether the step is even.
void diffuse(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    double *swap = a;
    a = b;
    b = swap;
  }
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
  trace_start();
  diffuse(steps, n, a, b);
  trace_stop();
  return 0;
}
#endif
