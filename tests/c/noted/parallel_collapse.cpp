// flags: --parallel marked
// function: nests
// Nests whose iterations are one sequence, in blocks and in chunks, with loops around and in them.
extern "C" void nests(int n, int m, const double *__restrict a, double *__restrict b, double (*__restrict c)[8]) {
  for (int k = 0; k < n; ++k) {
#pragma omp parallel for collapse(2)
    for (int i = k; i < n; ++i)
      for (int j = m - 1; j > 0; j -= 2)
        b[i * m + j] += a[i * m + j];
  }
#pragma omp parallel
#pragma omp for schedule(static, 16) collapse(2)
  for (int i = 0; i < n; ++i)
    for (int k = 1; k < 8; k += 4)
      for (int j = 0; j < m; ++j)
        c[i][k] += b[j];
}
