// flags: --parallel marked
// function: sums
// Variables that all threads share, and that each iteration assigns to.
void sums(int n, double A[restrict n][64], double s[restrict n]) {
  double t;
  int j, k = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    t = 0;
    for (int l = 0; l < 64; l++)
      t += A[i][l];
    s[i] = t;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (j = 0; j < 64; j++)
      s[i] += A[i][j];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    s[i] += A[k][0];
    ++k;
  }
}
