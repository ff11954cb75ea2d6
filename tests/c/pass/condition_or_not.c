// function: frame
// sizes: n=16 m=24; n=2 m=8; n=1 m=16
// A disjunction of four conditions for the border, and the negation of one for the rest.
void frame(int n, int m, double A[n][m], double B[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int border = i == 0 || j == 0 || i == n - 1 || j == m - 1;
      if (!border)
        B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
      else
        B[i][j] = A[i][j];
      if (!(i < j || i > j)) B[i][j] = 0.0;
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *A = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *B = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) B[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  frame(n, m, (void *)A, (void *)B);
  trace_stop();
  free(A);
  free(B);
  return 0;
}
#endif
