// function: pascal
// sizes: n=16; n=48
// Two nested while loops, the inner counter running down.
void pascal(int n, int c[n][n]) {
  int i = 0;
  while (i < n) {
    int j = i;
    c[i][j] = 1;
    while (j > 0) {
      j--;
      c[i][j] = j == 0 ? 1 : (c[i - 1][j - 1] + c[i - 1][j]) % 1000;
    }
    i++;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  int *c = aligned_alloc(64, ((n * n) * sizeof(int) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) c[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  pascal(n, (void *)c);
  trace_stop();
  free(c);
  return 0;
}
#endif
