// flags: --parallel marked
// function: sums
// Each thread has a copy of an array that a function knows by another name.
static double table[64];

static double product(const double *restrict x, const double *restrict y) {
  double sum = 0;
  for (int j = 0; j < 64; j++)
    sum += x[j] * y[j];
  return sum;
}

void sums(int n, double A[restrict n][64], double s[restrict n]) {
#pragma omp parallel for firstprivate(table)
  for (int i = 0; i < n; i++)
    s[i] = product(A[i], table);
}
