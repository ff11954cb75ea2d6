// flags: --parallel marked
// function: sums
// Each thread has an array `t`, but the pointer leads to the one that they share.
void sums(int n, double A[restrict n][64], double s[restrict n]) {
  double t[64];
  double *p = t;
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 64; j++)
      p[j] = A[i][j];
    s[i] = p[0] + p[63];
  }
}
