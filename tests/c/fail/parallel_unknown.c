// flags: --parallel k
// function: scale
void scale(int n, double A[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= 2.0;
}
