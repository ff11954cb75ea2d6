// function: gray
// sizes: n=64; n=200
// Three bytes in, one byte out: a step of three and a division of the counter by three.
void gray(int n, const unsigned char *rgb, unsigned char *luma) {
  for (int i = 0; i < 3 * n; i += 3)
    luma[i / 3] = (unsigned char)((77 * rgb[i] + 151 * rgb[i + 1] + 28 * rgb[i + 2]) >> 8);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  unsigned char *rgb = aligned_alloc(64, ((3 * n) * sizeof(unsigned char) + 64) / 64 * 64);
  for (long i = 0; i < (3 * n); i++) rgb[i] = (i * 7 + 3) % 11 + 1;
  unsigned char *luma = aligned_alloc(64, (n * sizeof(unsigned char) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) luma[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  gray(n, rgb, luma);
  trace_stop();
  free(rgb);
  free(luma);
  return 0;
}
#endif
