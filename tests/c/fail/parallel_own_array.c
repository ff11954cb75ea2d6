// flags: --parallel marked
// function: sums
// Arrays of which each thread has its own: by a clause, by a declaration, and in a reduction.
void sums(int n, double A[restrict n][64], double s[restrict n]) {
  double t[64];
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 64; j++)
      t[j] = A[i][j];
    s[i] = t[0] + t[63];
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double w[64];
    for (int j = 0; j < 64; j++)
      w[j] = A[i][j];
    s[i] += w[0] + w[63];
  }
#pragma omp parallel for reduction(+ : t[ : 64])
  for (int i = 0; i < n; i++)
    t[0] += A[i][0];
}
