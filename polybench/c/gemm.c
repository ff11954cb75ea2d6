// gemm: C := alpha*A*B + beta*C
// (PolyBench/C 4.2.1, linear-algebra/blas/gemm)

#ifndef NI
#define NI ni
#endif
#ifndef NJ
#define NJ nj
#endif
#ifndef NK
#define NK nk
#endif

void kernel_gemm(int ni, int nj, int nk, double alpha, double beta, double C[NI][NJ], double A[NI][NK],
                 double B[NK][NJ]) {
  int i, j, k;

  for (i = 0; i < ni; i++) {
    for (j = 0; j < nj; j++)
      C[i][j] *= beta;
    for (k = 0; k < nk; k++)
      for (j = 0; j < nj; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}
