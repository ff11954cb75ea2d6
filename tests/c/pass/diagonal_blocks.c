// function: blocks
// sizes: n=16; n=24
// flags: --assume 'n mod 8 = 0'
// Blocks along the diagonal: the block's number moves rows and columns.
void blocks(int n, double *a) {
  for (int t = 0; t < n; t += 8)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        a[t * n + i * n + t + j] += a[t * n + j * n + i + t];
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
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = zeros(n * n * sizeof(double));
  trace_start();
  blocks(n, a);
  trace_stop();
  return 0;
}
#endif
