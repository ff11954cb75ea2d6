// function: tiled_matmul
// sizes: n=16; n=24; n=40
// slow: the floors of tiles that may be cut off
// Three loops over tiles of 16 and three inside; the last tile may be cut off.
#define TILE 16
#define min(a, b) ((a) < (b) ? (a) : (b))

void tiled_matmul(int n, double A[n][n], double B[n][n], double C[n][n]) {
  for (int ii = 0; ii < n; ii += TILE)
    for (int jj = 0; jj < n; jj += TILE)
      for (int kk = 0; kk < n; kk += TILE)
        for (int i = ii; i < min(ii + TILE, n); i++)
          for (int j = jj; j < min(jj + TILE, n); j++) {
            double s = C[i][j];
            for (int k = kk; k < min(kk + TILE, n); k++)
              s += A[i][k] * B[k][j];
            C[i][j] = s;
          }
}

#undef min

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
  double *C = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) C[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  tiled_matmul(n, (void *)A, (void *)B, (void *)C);
  trace_stop();
  free(A);
  free(B);
  free(C);
  return 0;
}
#endif
