// function: swap_red_blue
// sizes: w=64 h=8; w=128 h=5
// A pointer that advances by three in each step of two nested loops, with constant offsets to it.
void swap_red_blue(int w, int h, unsigned char *image) {
  unsigned char *p = image;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++, p += 3) {
      unsigned char red = p[0];
      p[0] = p[2];
      p[2] = red;
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long w = atol(argv[1]);
  long h = atol(argv[2]);
  unsigned char *image = aligned_alloc(64, ((3 * w * h) * sizeof(unsigned char) + 64) / 64 * 64);
  for (long i = 0; i < (3 * w * h); i++) image[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  swap_red_blue(w, h, image);
  trace_stop();
  free(image);
  return 0;
}
#endif
