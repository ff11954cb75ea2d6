// function: halo
// sizes: m=6 n=14; m=4 n=22
// Rows of n + 2 elements, reached from the neighbouring row.
void halo(int m, int n, double u[m + 2][n + 2], double v[m + 2][n + 2]) {
  for (int i = 1; i <= m; i++) {
    double *row = u[i];
    for (int j = 1; j <= n; j++)
      v[i][j] = row[j] + row[j - (n + 2)] + row[j + n + 2] + row[j - 1] + row[j + 1];
  }
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
  if (argc < 3) return 2;
  long m = atol(argv[1]);
  long n = atol(argv[2]);
  void *u = zeros((m + 2) * (n + 2) * sizeof(double)), *v = zeros((m + 2) * (n + 2) * sizeof(double));
  trace_start();
  halo(m, n, u, v);
  trace_stop();
  return 0;
}
#endif
