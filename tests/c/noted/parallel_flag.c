// flags: -- -fopenmp
// function: scale
// With the flag, loops that can have threads have them.
void scale(int n, double A[restrict n][n], double x[restrict n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= x[j];
}
