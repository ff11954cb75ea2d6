// function: quadrant_sum
// sizes: n=16; n=80
// The four quadrants of a matrix, by halves of a size in the subscripts.
void quadrant_sum(int n, double A[n][n], double B[n][n]) {
  const int h = n / 2;
  for (int i = 0; i < h; i++)
    for (int j = 0; j < h; j++)
      B[i][j] = A[i][j] + A[i][j + h] + A[i + h][j] + A[i + h][j + h];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *B = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) B[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  quadrant_sum(n, (void *)A, (void *)B);
  trace_stop();
  free(A);
  free(B);
  return 0;
}
#endif
