// flags: --parallel marked -- -Wno-unknown-pragmas
// function: nests
// Nests whose iterations are no one sequence: a triangle, loops with statements between them, fewer loops than are named, and a
// number of loops that is not known.
void nests(int n, int m, double A[restrict n][n], double x[restrict n]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      A[i][j] *= 2.0;
#pragma omp parallel for collapse(2) schedule(static, 4)
  for (int i = 0; i < n; i++) {
    x[i] = 0.0;
    for (int j = 0; j < n; j++)
      A[i][j] *= 3.0;
  }
#pragma omp parallel for collapse(3)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= 4.0;
#pragma omp parallel for collapse(m)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] *= 5.0;
}
