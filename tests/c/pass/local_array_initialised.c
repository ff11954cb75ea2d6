// function: smooth
// sizes: n=24; n=43
// Local arrays with initialisers, which Clang makes into memcpy and memset: one write for each element.
void smooth(int n, const double *a, double *b) {
#ifdef TRACED
  double weight[3], sum[4];
  for (int i = 0; i < 3; i++) weight[i] = 0.25;
  for (int i = 0; i < 4; i++) sum[i] = 0.0;
#else
  double weight[3] = {0.25, 0.5, 0.25}, sum[4] = {0.0};
#endif
  for (int i = 1; i < n - 1; i++) {
    for (int k = 0; k < 3; k++)
      sum[i % 4] += weight[k] * a[i + k - 1];
    b[i] = sum[i % 4];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  char *memory = aligned_alloc(64, bytes);
  for (size_t i = 0; i < bytes; i++) memory[i] = 0;
  return memory;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = zeros(n * sizeof(double)), *b = zeros(n * sizeof(double));
  trace_start();
  smooth(n, a, b);
  trace_stop();
  return 0;
}
#endif
