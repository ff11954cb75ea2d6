// function: corners
// sizes: k=5 m=3 n=16; k=3 m=2 n=24
// Of each plane of m rows only the first row: planes are m * n elements apart, and the columns stay below n.
void corners(int k, int m, int n, double *a) {
  for (int z = 0; z < k; z++)
    for (int j = 1; j < n; j++)
      a[z * m * n + j] += a[z * m * n + j - 1];
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
  long k = atol(argv[1]);
  long m = atol(argv[2]);
  long n = atol(argv[3]);
  double *a = zeros(k * m * n * sizeof(double));
  trace_start();
  corners(k, m, n, a);
  trace_stop();
  return 0;
}
#endif
