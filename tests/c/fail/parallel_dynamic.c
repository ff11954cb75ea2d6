// flags: --parallel marked -- -Wno-unknown-attributes
// function: scale
// Schedules that depend on time, and one that is not known; iterations of two loops that are shared as one; tiles that are
// shared, not iterations; a directive in an attribute.
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
#pragma omp parallel for
#pragma omp tile sizes(4)
  for (int i = 0; i < n; i++)
    x[i] *= 3.0;
  [[omp::directive(parallel for)]]
  for (int i = 0; i < n; i++)
    x[i] *= 4.0;
}
