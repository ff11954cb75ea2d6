// function: band_product
// sizes: n=20 k=3 ld=8; n=12 k=5 ld=16
// A band of 2k + 1 diagonals in rows of ld elements: the column in the row is j - i + k.
void band_product(int n, int k, int ld, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = i - k < 0 ? 0 : i - k; j <= (i + k < n ? i + k : n - 1); j++)
      y[i] += a[i * ld + j - i + k] * x[j];
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
  long k = atol(argv[2]);
  long ld = atol(argv[3]);
  double *a = zeros(n * ld * sizeof(double)), *x = zeros(n * sizeof(double)), *y = zeros(n * sizeof(double));
  trace_start();
  band_product(n, k, ld, a, x, y);
  trace_stop();
  return 0;
}
#endif
