// function: relax
// sizes: n=24 m=19; n=3 m=8; n=7 m=7
// The number of steps is a difference in either direction. Each direction has a loop of its own, in which the buffers change places.
void relax(int n, int m, double *restrict a, double *restrict b) {
  int steps = n > m ? n - m : m - n;
  double *from = a, *to = b;
  for (int step = 0; step < steps; step++) {
    for (int i = 1; i < 39; i++)
      to[i] = 0.5 * (from[i - 1] + from[i + 1]);
    double *other = from;
    from = to;
    to = other;
  }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) { return memset(aligned_alloc(64, bytes), 0, bytes); }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = zeros(40 * sizeof(double)), *b = zeros(40 * sizeof(double));
  trace_start();
  relax(n, m, a, b);
  trace_stop();
  return 0;
}
#endif
