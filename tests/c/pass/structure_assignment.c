// function: copy
// sizes: n=24; n=43
// Clang copies a structure from memory to memory by memcpy: its members in ascending order.
struct point {
  double x, y, z;
};

void copy(int n, struct point *to, const struct point *from) {
  for (int i = 0; i < n; i++) {
#ifdef TRACED
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
#else
    to[i] = from[i];
#endif
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  char *memory = aligned_alloc(64, bytes);
  for (size_t i = 0; i < bytes; i++) memory[i] = 0;
  return memory;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  struct point *to = zeros(n * sizeof *to), *from = zeros(n * sizeof *from);
  trace_start();
  copy(n, to, from);
  trace_stop();
  return 0;
}
#endif
