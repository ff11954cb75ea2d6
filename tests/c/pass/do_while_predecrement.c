// function: drain
// sizes: n=64; n=1
// do ... while (--n) with a walking pointer, as in old library code.
void drain(char *to, const char *from, unsigned n) {
  do
    *to++ = *from++;
  while (--n);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  char *to = aligned_alloc(64, (n * sizeof(char) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) to[i] = (i * 7 + 3) % 11 + 1;
  char *from = aligned_alloc(64, (n * sizeof(char) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) from[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  drain(to, from, n);
  trace_stop();
  free(to);
  free(from);
  return 0;
}
#endif
