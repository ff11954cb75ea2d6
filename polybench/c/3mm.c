// 3mm: E := A*B, F := C*D, G := E*F
// (PolyBench/C 4.2.1, linear-algebra/kernels/3mm)

#ifndef NI
#define NI ni
#endif
#ifndef NJ
#define NJ nj
#endif
#ifndef NK
#define NK nk
#endif
#ifndef NL
#define NL nl
#endif
#ifndef NM
#define NM nm
#endif

void kernel_3mm(int ni, int nj, int nk, int nl, int nm, double E[NI][NJ], double A[NI][NK], double B[NK][NJ],
                double F[NJ][NL], double C[NJ][NM], double D[NM][NL], double G[NI][NL]) {
  int i, j, k;

  for (i = 0; i < ni; i++)
    for (j = 0; j < nj; j++) {
      E[i][j] = 0.0;
      for (k = 0; k < nk; ++k)
        E[i][j] += A[i][k] * B[k][j];
    }
  for (i = 0; i < nj; i++)
    for (j = 0; j < nl; j++) {
      F[i][j] = 0.0;
      for (k = 0; k < nm; ++k)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (i = 0; i < ni; i++)
    for (j = 0; j < nl; j++) {
      G[i][j] = 0.0;
      for (k = 0; k < nj; ++k)
        G[i][j] += E[i][k] * F[k][j];
    }
}
