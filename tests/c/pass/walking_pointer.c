// function: copy_words
// sizes: n=64; n=1000
// Two pointers that walk along their arrays; the counter is used for nothing else.
void copy_words(int n, const int *from, int *to) {
  for (int i = 0; i < n; i++)
    *to++ = *from++;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  int *from = aligned_alloc(64, (n * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) from[i] = (i * 7 + 3) % 11 + 1;
  int *to = aligned_alloc(64, (n * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) to[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  copy_words(n, from, to);
  trace_stop();
  free(from);
  free(to);
  return 0;
}
#endif
