// function: neighbours
// sizes: h=3 w=64; h=2 w=128
// Parts of pixels next to each other, where there are such: the condition counts once for each byte of a pixel.
struct pixel {
  unsigned char r, g, b;
};

void neighbours(int h, int w, struct pixel in[restrict h][w], int out[restrict h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if (x >= 1 && x + 1 < w)
        out[y][x] = in[y][x - 1].b + in[y][x + 1].b;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long h = atol(argv[1]), w = atol(argv[2]);
  struct pixel(*in)[w] = aligned_alloc(64, (h * w * sizeof(struct pixel) + 64) / 64 * 64);
  int(*out)[w] = aligned_alloc(64, (h * w * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < h * w; i++) in[0][i].r = in[0][i].g = in[0][i].b = i % 7;
  trace_start();
  neighbours(h, w, in, out);
  trace_stop();
  free(in);
  free(out);
  return 0;
}
#endif
