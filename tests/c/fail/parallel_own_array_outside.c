// flags: --parallel marked
// function: sums
// An array that is another one outside of the loop in which each thread has its own.
void sums(int n, double A[restrict n][64], double s[restrict n]) {
  double t[64];
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 64; j++)
      t[j] = A[i][j];
    s[i] = t[0] + t[63];
  }
  for (int j = 0; j < 64; j++)
    t[j] = A[0][j];
  s[0] = t[0] + t[1];
}
