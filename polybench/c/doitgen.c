// doitgen: multiresolution analysis kernel
// (PolyBench/C 4.2.1, linear-algebra/kernels/doitgen)

#ifndef NR
#define NR nr
#endif
#ifndef NQ
#define NQ nq
#endif
#ifndef NP
#define NP np
#endif

void kernel_doitgen(int nr, int nq, int np, double A[NR][NQ][NP], double C4[NP][NP], double sum[NP]) {
  int r, q, p, s;

  for (r = 0; r < nr; r++)
    for (q = 0; q < nq; q++) {
      for (p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (s = 0; s < np; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (p = 0; p < np; p++)
        A[r][q][p] = sum[p];
    }
}
