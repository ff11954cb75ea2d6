// function: partial_product
// sizes: n=16; n=40
// flags: --assume 'n <= 64'
// Rows of a fixed length, of which only the first n elements are in use.
#define MAX_SIZE 64

void partial_product(int n, double A[MAX_SIZE][MAX_SIZE], double x[MAX_SIZE], double y[MAX_SIZE]) {
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int j = 0; j < n; j++)
      y[i] += A[i][j] * x[j];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((64 * 64) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (64 * 64); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *x = aligned_alloc(64, (64 * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < 64; i++) x[i] = (i * 7 + 3) % 11 + 1;
  double *y = aligned_alloc(64, (64 * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < 64; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  partial_product(n, (void *)A, x, y);
  trace_stop();
  free(A);
  free(x);
  free(y);
  return 0;
}
#endif
