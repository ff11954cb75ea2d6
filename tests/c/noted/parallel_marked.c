// flags: --parallel marked -- -DSIZE=4
// function: smooth
// Loops that threads share: by `parallel for`, by `for` in a parallel region, with chunks that a macro tells.
#define SHARED(clauses) _Pragma("omp parallel for schedule(static, 2)")

void smooth(int n, int m, double u[restrict n][m], double v[restrict n][m], double *restrict last) {
  double s = 0.0;
#pragma omp parallel private(s)
  {
#pragma omp for nowait \
    schedule(static, SIZE) /* chunks */
    for (int i = 0; i < n; i++) {
      double *row = v[i];
#pragma omp simd
      for (int j = 0; j < m; j++)
        row[j] = 2.0 * u[i][j];
    }
#pragma omp single
    last[0] = u[0][0];
  }
#if 0
#pragma omp parallel for schedule(dynamic)
#endif
  for (int i = 1; i < n; i++)
    last[0] += v[i][0];
  SHARED(n)
  for (int i = 0; i < n; i++)
    last[i] = 0.0;
#pragma omp parallel for reduction(+ : s) num_threads(4) if (n > 100)
  for (int i = 0; i < n; i++)
    s += last[i];
  last[1] = s;
}
