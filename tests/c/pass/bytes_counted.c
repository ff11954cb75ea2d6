// function: scale_sampled
// sizes: bytes=256 n=24; bytes=132 n=40; bytes=4 n=3
// A loop that counts bytes, which only its step shows to be whole elements, and one that halves its counter.
#include <stddef.h>

void scale_sampled(size_t bytes, int n, float by, char *restrict p, float *restrict half) {
  for (size_t at = 0; at < bytes; at += 4)
    *(float *)(p + at) *= by;
  for (int i = 0; i < n; i += 2)
    half[i / 2] += *(float *)(p + 2 * i);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long bytes = atol(argv[1]);
  long n = atol(argv[2]);
  float *p = aligned_alloc(64, (bytes + 4 * n + 128) / 64 * 64);
  float *half = aligned_alloc(64, (4 * n + 64) / 64 * 64);
  for (long i = 0; i < bytes / 4 + n; i++) p[i] = i;
  for (long i = 0; i < n; i++) half[i] = i;
  trace_start();
  scale_sampled(bytes, n, 0.5f, (char *)p, half);
  trace_stop();
  free(p);
  free(half);
  return 0;
}
#endif
