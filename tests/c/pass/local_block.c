// function: block_sums
// sizes: n=16; n=64
// A local two-dimensional array is filled and emptied for each tile.
void block_sums(int n, double A[n][n], double *S) {
  _Alignas(64) double block[8][8];
  for (int t = 0; t < n / 8; t++) {
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        block[j][i] = A[8 * t + i][8 * t + j];
    for (int i = 0; i < 8; i++) {
      S[8 * t + i] = 0.0;
      for (int j = 0; j < 8; j++)
        S[8 * t + i] += block[i][j];
    }
  }
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
  double *S = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) S[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  block_sums(n, (void *)A, S);
  trace_stop();
  free(A);
  free(S);
  return 0;
}
#endif
