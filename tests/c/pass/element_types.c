// function: mix
// sizes: n=64; n=129
// Elements of one, two, four and eight bytes in one loop.
void mix(int n, const signed char *c, const short *s, const int *i32, long *i64, float *f) {
  for (int i = 0; i < n; i++) {
    i64[i] = c[i] + s[i] + i32[i];
    f[i] = (float)i64[i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  signed char *c = aligned_alloc(64, (n * sizeof(signed char) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) c[i] = (i * 7 + 3) % 11 + 1;
  short *s = aligned_alloc(64, (n * sizeof(short) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) s[i] = (i * 7 + 3) % 11 + 1;
  int *i32 = aligned_alloc(64, (n * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) i32[i] = (i * 7 + 3) % 11 + 1;
  long *i64 = aligned_alloc(64, (n * sizeof(long) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) i64[i] = (i * 7 + 3) % 11 + 1;
  float *f = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) f[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  mix(n, c, s, i32, i64, f);
  trace_stop();
  free(c);
  free(s);
  free(i32);
  free(i64);
  free(f);
  return 0;
}
#endif
