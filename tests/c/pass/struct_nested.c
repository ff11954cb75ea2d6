// function: advance
// sizes: n=64; n=100
// Structures inside structures, and an array inside one.
struct vec3 {
  double v[3];
};

struct body {
  struct vec3 position;
  struct vec3 velocity;
  double mass;
};

void advance(int n, struct body *b, double dt) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      b[i].position.v[k] += dt * b[i].velocity.v[k] / b[i].mass;
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  struct body *b = aligned_alloc(64, (n * sizeof(struct body) + 64) / 64 * 64);
  memset(b, 0, n * sizeof(struct body));
  trace_start();
  advance(n, b, 0.01);
  trace_stop();
  free(b);
  return 0;
}
#endif
