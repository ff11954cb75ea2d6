// flags: --parallel marked
// function: sums
// A `static` array in a loop is one for all threads.
void sums(int n, double A[restrict n][64], double s[restrict n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    static double w[64];
    for (int j = 0; j < 64; j++)
      w[j] = A[i][j];
    s[i] = w[0] + w[63];
  }
}
