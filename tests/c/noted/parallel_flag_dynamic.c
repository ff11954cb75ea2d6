// flags: -- -fopenmp
// function: scale
// The first loop could have threads, the second one not: then none has.
void scale(int n, double A[restrict n][n], double x[restrict n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    x[i] = 1.0;
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= x[j];
}
