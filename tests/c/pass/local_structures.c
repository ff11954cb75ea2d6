// function: reverse
// sizes: n=24; n=43
// Structures that are copied through a local one, whose members are in registers: each member is read and written once.
struct particle {
  double place[3];
  int kind;
  float mass;
};

void reverse(int n, struct particle *p) {
#ifndef TRACED
  const struct particle heavy = {{0.0, 1.0, 2.0}, 3, 4.0f};
#endif
  for (int i = 0; i < n - 1 - i; i++) {
#ifdef TRACED
    double x = p[i].place[0], y = p[i].place[1], z = p[i].place[2];
    int kind = p[i].kind;
    float mass = p[i].mass;
    p[i].place[0] = 0.0;
    p[i].place[1] = 1.0;
    p[i].place[2] = 2.0;
    p[i].kind = 3 + 0 * kind;
    p[i].mass = 4.0f + mass;
    p[n - 1 - i].place[0] = x;
    p[n - 1 - i].place[1] = y;
    p[n - 1 - i].place[2] = z;
    p[n - 1 - i].kind = 7;
    p[n - 1 - i].mass = mass;
#else
    struct particle kept = p[i], other = heavy;
    other.mass += kept.mass;
    kept.kind = 7;
    p[i] = other;
    p[n - 1 - i] = kept;
#endif
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  size_t bytes = (n * sizeof(struct particle) + 63) / 64 * 64;
  struct particle *p = aligned_alloc(64, bytes);
  for (size_t i = 0; i < bytes; i++) ((char *)p)[i] = 0;
  trace_start();
  reverse(n, p);
  trace_stop();
  return 0;
}
#endif
