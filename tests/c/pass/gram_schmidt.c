// function: gram_schmidt
// sizes: n=16 m=8; n=24 m=16
// The columns of a matrix are made orthonormal, one after the other.
#include <math.h>

void gram_schmidt(int n, int m, double A[n][m], double R[m][m]) {
  for (int k = 0; k < m; k++) {
    double norm = 0.0;
    for (int i = 0; i < n; i++)
      norm += A[i][k] * A[i][k];
    R[k][k] = sqrt(norm);
    for (int i = 0; i < n; i++)
      A[i][k] /= R[k][k];
    for (int j = k + 1; j < m; j++) {
      R[k][j] = 0.0;
      for (int i = 0; i < n; i++)
        R[k][j] += A[i][k] * A[i][j];
      for (int i = 0; i < n; i++)
        A[i][j] -= A[i][k] * R[k][j];
    }
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
  double *R = aligned_alloc(64, ((m * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * m); i++) R[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  gram_schmidt(n, m, (void *)A, (void *)R);
  trace_stop();
  free(A);
  free(R);
  return 0;
}
#endif
