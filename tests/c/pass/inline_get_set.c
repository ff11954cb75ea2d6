// function: relax
// sizes: n=16 m=24; n=40 m=32
// Small inline helpers for reading and writing an element, one of them calling another.
static inline int at(int i, int j, int width) { return i * width + j; }

static inline double get(const double *g, int i, int j, int width) { return g[at(i, j, width)]; }

static inline void put(double *g, int i, int j, int width, double v) { g[at(i, j, width)] = v; }

static inline double average(double a, double b) { return 0.5 * (a + b); }

void relax(int n, int m, double *g) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      put(g, i, j, m, average(get(g, i - 1, j, m), get(g, i + 1, j, m)));
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *g = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) g[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  relax(n, m, g);
  trace_stop();
  free(g);
  return 0;
}
#endif
