// function: full_convolution
// sizes: n=8 k=9 m=3; n=16 k=9 m=2
// Rows and planes whose lengths are sums of two sizes.
void full_convolution(int n, int k, int m, double in[n][n], const double *w, double out[m][n + k - 1][n + k - 1]) {
  for (int c = 0; c < m; c++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int p = 0; p < k; p++)
          for (int q = 0; q < k; q++)
            out[c][i + p][j + q] += in[i][j] * w[p] * w[q];
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
  long m = atol(argv[3]);
  void *in = zeros(n * n * sizeof(double)), *w = zeros(k * sizeof(double));
  void *out = zeros(m * (n + k - 1) * (n + k - 1) * sizeof(double));
  trace_start();
  full_convolution(n, k, m, in, w, out);
  trace_stop();
  return 0;
}
#endif
