// flags: --parallel marked
// function: sums
// Arrays of which each thread has its own, but whose elements are copied, or of which it is not known which is meant.
static double table[64];

static double first(void) { return table[0]; }

void sums(int n, double A[restrict n][64], double s[restrict n], double *restrict p) {
  double t[64], u[64];
#pragma omp parallel for reduction(+ : t[ : 64])
  for (int i = 0; i < n; i++)
    t[0] += A[i][0];
#pragma omp parallel for firstprivate(u)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 32; j++)
      u[j] = A[i][j];
    s[i] = u[0] + u[63];
  }
#pragma omp parallel for private(p)
  for (int i = 0; i < n; i++)
    s[i] += p[i];
#pragma omp parallel for private(table)
  for (int i = 0; i < n; i++) {
    table[0] = A[i][0];
    s[i] += first();
  }
}
