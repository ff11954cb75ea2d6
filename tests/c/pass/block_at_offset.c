// function: shift_block
// sizes: n=24 m=9 o=4; n=32 m=8 o=24
// A block of m columns and rows of a matrix, from the element (o, o) on.
void shift_block(int n, int m, int o, double *a, const double *b) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      a[o * n + i * n + j + o] = b[i * n + j] + a[(o + i) * n + o];
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
  if (argc < 4) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  long o = atol(argv[3]);
  double *a = zeros((o + m) * n * sizeof(double)), *b = zeros(m * n * sizeof(double));
  trace_start();
  shift_block(n, m, o, a, b);
  trace_stop();
  return 0;
}
#endif
