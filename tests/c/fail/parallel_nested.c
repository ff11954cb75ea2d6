// flags: --parallel marked
// function: scale
// A parallel loop in a function that another parallel loop calls.
static void row(int n, double *restrict a) {
#pragma omp parallel for
  for (int j = 0; j < n; j++)
    a[j] *= 2.0;
}

void scale(int n, double A[restrict n][n]) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    row(n, A[i]);
}
