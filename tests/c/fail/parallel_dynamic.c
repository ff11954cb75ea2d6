// flags: --parallel marked
// function: scale
// Schedules that depend on time, and one that is not known; iterations of two loops that are shared as one.
void scale(int n, int c, double A[restrict n][n], double x[restrict n]) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    x[i] = 1.0;
#pragma omp parallel for schedule(static, c)
  for (int i = 0; i < n; i++)
    x[i] *= 2.0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= x[j];
}
