// function: conduct
// sizes: nx=16 ny=5 steps=3; nx=32 ny=4 steps=2
// Five points of a flat array; at a face the neighbour is the point itself. Buffers are swapped after each step.
void conduct(int nx, int ny, int steps, float *now, float *next) {
  int step = 0;
  do {
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int c = x + y * nx;
        int w = x == 0 ? c : c - 1;
        int e = x == nx - 1 ? c : c + 1;
        int n = y == 0 ? c : c - nx;
        int s = y == ny - 1 ? c : c + nx;
        next[c] = 0.4f * now[c] + 0.1f * (now[w] + now[e] + now[n] + now[s]);
      }
    float *other = now;
    now = next;
    next = other;
    step++;
  } while (step < steps);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int nx = atoi(argv[1]), ny = atoi(argv[2]), steps = atoi(argv[3]);
  size_t bytes = ((size_t)nx * ny * sizeof(float) + 63) / 64 * 64;
  float *now = aligned_alloc(64, bytes), *next = aligned_alloc(64, bytes);
  for (int i = 0; i < nx * ny; i++) now[i] = next[i] = i % 7;
  trace_start();
  conduct(nx, ny, steps, now, next);
  trace_stop();
  free(now);
  free(next);
  return 0;
}
#endif
