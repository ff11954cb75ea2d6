// function: kernel
// sizes: m=8 n=32 c=3; m=16 n=16 c=2; m=8 n=16 c=1
// The length of a block does not tell which of its factors is the length of a row; the accesses to it do.
#include <string.h>

void kernel(int m, int n, int c, double a[restrict n][m], double b[restrict n][m], double d[restrict n + 2][m + 8],
            float *restrict x, float *restrict y) {
#ifdef TRACED
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 0.0;
  for (int i = 0; i < n + 2; i++)
    for (int j = 0; j < m + 8; j++) d[i][j] = 0.0;
#else
  memset(a, 0, sizeof(double) * m * n);
  memset(d, 0, sizeof(double) * (m + 8) * (n + 2));
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] += d[i + 1][j];
#ifdef TRACED
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[i][j] = a[i][j];
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++) b[i + 1][j] = a[i][j];
  for (int k = 0; k < c; k++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) x[(k * m + i) * n + j] = 0.0f;
#else
  memcpy(b, a, sizeof(a[0]) * n);
  memcpy(b + 1, a, sizeof(*a) * (n - 1));
  memset(x, 0, n * m * c * sizeof(float));
#endif
  for (int k = 0; k < c; k++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        x[(k * m + i) * n + j] += 2.0f;
#ifdef TRACED
  for (int k = 0; k < c; k++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) y[(k * m + i) * n + j] = x[(k * m + i) * n + j];
#else
  memcpy(y, x, m * c * n * sizeof(float));
#endif
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
  if (argc < 4) return 2;
  long m = atol(argv[1]);
  long n = atol(argv[2]);
  long c = atol(argv[3]);
  double *a = zeros(n * m * sizeof(double)), *b = zeros(n * m * sizeof(double));
  double *d = zeros((n + 2) * (m + 8) * sizeof(double));
  float *x = zeros(c * n * m * sizeof(float)), *y = zeros(c * n * m * sizeof(float));
  trace_start();
  kernel(m, n, c, (void *)a, (void *)b, (void *)d, x, y);
  trace_stop();
  return 0;
}
#endif
