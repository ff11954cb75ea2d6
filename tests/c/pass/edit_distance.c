// function: common_length
// sizes: n=16; n=64
// Dynamic programming over two words: all three neighbours are read, the choice is made in registers.
static inline int larger(int a, int b) { return a > b ? a : b; }

void common_length(int n, const char *s, const char *t, int d[n][n]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      int both = d[i - 1][j - 1] + (s[i] == t[j]);
      d[i][j] = larger(both, larger(d[i - 1][j], d[i][j - 1]));
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  char *s = aligned_alloc(64, (n * sizeof(char) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) s[i] = (i * 7 + 3) % 11 + 1;
  char *t = aligned_alloc(64, (n * sizeof(char) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) t[i] = (i * 7 + 3) % 11 + 1;
  int *d = aligned_alloc(64, ((n * n) * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) d[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  common_length(n, s, t, (void *)d);
  trace_stop();
  free(s);
  free(t);
  free(d);
  return 0;
}
#endif
