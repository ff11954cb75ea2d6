// function: pack_block
// sizes: n=16 m=8; n=24 m=40
// The counter k is stepped by the inner loop and carried on from row to row, so it is i * m + j.
void pack_block(int n, int m, double A[n][2 * m], double *P) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      P[k++] = A[i][m + j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *A = aligned_alloc(64, ((2 * n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (2 * n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *P = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) P[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  pack_block(n, m, (void *)A, P);
  trace_stop();
  free(A);
  free(P);
  return 0;
}
#endif
