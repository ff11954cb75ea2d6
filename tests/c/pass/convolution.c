// function: convolve
// sizes: h=12 w=16; h=20 w=48
// A kernel of five by five, constant in size, over an image; nothing is written near the border.
#define K 5
#define PAD 16

void convolve(int h, int w, float image[h][w], float kernel[K][PAD], float out[h][w]) {
  const int r = K / 2;
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float s = 0.0f;
      for (int ky = 0; ky < K; ky++)
        for (int kx = 0; kx < K; kx++)
          s += kernel[ky][kx] * image[y + ky - r][x + kx - r];
      out[y][x] = s;
    }
}

#undef K
#undef PAD

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long h = atol(argv[1]);
  long w = atol(argv[2]);
  float *image = aligned_alloc(64, ((h * w) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (h * w); i++) image[i] = (i * 7 + 3) % 11 + 1;
  float *kernel = aligned_alloc(64, ((5 * 16) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (5 * 16); i++) kernel[i] = (i * 7 + 3) % 11 + 1;
  float *out = aligned_alloc(64, ((h * w) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (h * w); i++) out[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  convolve(h, w, (void *)image, (void *)kernel, (void *)out);
  trace_stop();
  free(image);
  free(kernel);
  free(out);
  return 0;
}
#endif
