// function: max_pool
// sizes: h=8 w=16; h=15 w=32
// The largest of each two by two elements, by a helper without accesses.
static inline float larger(float a, float b) { return a > b ? a : b; }

void max_pool(int h, int w, float in[2 * h][2 * w], float out[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float m = in[2 * y][2 * x];
      for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++)
          m = larger(m, in[2 * y + dy][2 * x + dx]);
      out[y][x] = m;
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long h = atol(argv[1]);
  long w = atol(argv[2]);
  float *in = aligned_alloc(64, ((4 * h * w) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (4 * h * w); i++) in[i] = (i * 7 + 3) % 11 + 1;
  float *out = aligned_alloc(64, ((h * w) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (h * w); i++) out[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  max_pool(h, w, (void *)in, (void *)out);
  trace_stop();
  free(in);
  free(out);
  return 0;
}
#endif
