// function: diagonals
// sizes: n=16; n=32; n=48
// A table of scores, filled diagonal by diagonal, in one flat array with one subscript for an element and its neighbours.
static int larger(int a, int b, int c) {
  int m;
  if (a <= b) m = b;
  else m = a;
  if (m <= c) return c;
  return m;
}

void diagonals(int n, int penalty, int *restrict score, const int *restrict reference) {
  for (int d = 0; d < n - 2; d++)
    for (int r = 0; r <= d; r++) {
      int at = (r + 1) * n + (d + 1 - r);
      score[at] = larger(score[at - 1 - n] + reference[at], score[at - 1] - penalty, score[at - n] - penalty);
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  size_t bytes = ((size_t)n * n * sizeof(int) + 63) / 64 * 64;
  int *score = aligned_alloc(64, bytes), *reference = aligned_alloc(64, bytes);
  for (int i = 0; i < n * n; i++) score[i] = reference[i] = i % 7;
  trace_start();
  diagonals(n, 3, score, reference);
  trace_stop();
  free(score);
  free(reference);
  return 0;
}
#endif
