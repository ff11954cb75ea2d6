// function: centre
// sizes: n=64; n=301
// An array of structures of three numbers.
struct point {
  double x, y, z;
};

void centre(int n, struct point *p) {
  double x = 0, y = 0, z = 0;
  for (int i = 0; i < n; i++) {
    x += p[i].x;
    y += p[i].y;
    z += p[i].z;
  }
  for (int i = 0; i < n; i++) {
    p[i].x -= x / n;
    p[i].y -= y / n;
    p[i].z -= z / n;
  }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  struct point *p = aligned_alloc(64, (n * sizeof(struct point) + 64) / 64 * 64);
  memset(p, 0, n * sizeof(struct point));
  trace_start();
  centre(n, p);
  trace_stop();
  free(p);
  return 0;
}
#endif
