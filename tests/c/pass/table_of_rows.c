// function: multiply
// sizes: n=8; n=11
// Matrices as arrays of pointers to rows that were allocated one by one. The first row is also used by itself.
void multiply(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
  for (int j = 0; j < n; j++)
    c[0][j] += *a[0];
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
  double **matrices[3];
  for (int m = 0; m < 3; m++) {
    matrices[m] = zeros(n * sizeof(double *));
    for (int i = 0; i < n; i++) matrices[m][i] = zeros(n * sizeof(double));
  }
  double **a = matrices[0], **b = matrices[1], **c = matrices[2];
  trace_start();
  multiply(n, a, b, c);
  trace_stop();
  return 0;
}
#endif
