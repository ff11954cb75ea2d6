// function: blur
// sizes: h=6 w=16; h=4 w=32
// Columns beyond the edges are those at the edges.
static int clamped(int value, int low, int high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

void blur(int h, int w, const float *in, float *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int k = -2; k <= 2; k++)
        sum += in[y * w + clamped(x + k, 0, w - 1)];
      out[y * w + x] = sum / 5;
    }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long h = atol(argv[1]);
  long w = atol(argv[2]);
  float *in = zeros(h * w * sizeof(float)), *out = zeros(h * w * sizeof(float));
  trace_start();
  blur(h, w, in, out);
  trace_stop();
  return 0;
}
#endif
