// flags: --parallel i
// function: total
// All iterations of a loop that the command line names add to one element.
void total(int n, double A[restrict n][n], double s[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[j] += A[i][j];
}
