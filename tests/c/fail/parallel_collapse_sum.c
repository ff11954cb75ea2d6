// flags: --parallel marked
// function: sums
// Sums over the inner loop: iterations of the outer one are independent, those of both are not.
void sums(int n, int m, double A[restrict n][m], double s[restrict n]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[i] += A[i][j];
}
