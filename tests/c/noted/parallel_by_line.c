// flags: --parallel 9:4 --parallel j_1
// function: scale
// Loops that the command line makes parallel: one by its line, with chunks, and one by its name, in a sequential loop. The
// other pragma stays without effect.
void scale(int n, double A[restrict n][n], double x[restrict n]) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    x[i] = 1.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= x[j];
  for (int k = 0; k < n; k++)
    for (int j = k + 1; j < n; j++)
      A[k][j] -= A[k][k] * x[j];
}
