// function: dgemm
// sizes: m=16 n=24 k=8; m=32 n=16 k=40
// Column-major storage A[i + j * lda] behind a macro, loops in the order j, l, i.
#define A(i, j) a[(i) + (j) * m]
#define B(i, j) b[(i) + (j) * k]
#define C(i, j) c[(i) + (j) * m]

void dgemm(int m, int n, int k, double alpha, const double *a, const double *b, double beta, double *c) {
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++)
      C(i, j) *= beta;
    for (int l = 0; l < k; l++) {
      double t = alpha * B(l, j);
      for (int i = 0; i < m; i++)
        C(i, j) += t * A(i, l);
    }
  }
}

#undef A
#undef B
#undef C

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  long m = atol(argv[1]);
  long n = atol(argv[2]);
  long k = atol(argv[3]);
  double *A = aligned_alloc(64, ((m * k) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * k); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *B = aligned_alloc(64, ((k * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (k * n); i++) B[i] = (i * 7 + 3) % 11 + 1;
  double *C = aligned_alloc(64, ((m * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (m * n); i++) C[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  dgemm(m, n, k, 1.5, A, B, 0.5, C);
  trace_stop();
  free(A);
  free(B);
  free(C);
  return 0;
}
#endif
