// function: rotate_all
// sizes: n=64; n=131
// Elements by reference, and results through references that stay in registers.
struct vec {
  double x, y;
};

static inline void turn(vec &v) {
  const double x = v.x;
  v.x = -v.y;
  v.y = x;
}

static inline void add(double &to, const vec &v) { to += v.x * v.y; }

extern "C" double rotate_all(int n, vec *v) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    turn(v[i]);
    add(sum, v[i]);
  }
  return sum;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

extern "C" void trace_start(void);
extern "C" void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  struct vec *v = (struct vec *)aligned_alloc(64, (n * sizeof(struct vec) + 64) / 64 * 64);
  memset(v, 0, n * sizeof(struct vec));
  trace_start();
  rotate_all(n, v);
  trace_stop();
  free(v);
  return 0;
}
#endif
