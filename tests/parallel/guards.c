// Parallel loops under conditions and in loops that may leave them without iterations, in functions that are called.

static void scale(int n, double *x, double by) {
#pragma omp parallel for schedule(static, 2)
  for (int i = 0; i < n; i++)
    x[i] *= by;
}

void guards(int n, int m, double A[n][m], double x[n]) {
  scale(n, x, 2.0);
  for (int k = 0; k < n; k++) {
    if (k % 2 == 0) {
#pragma omp parallel for
      for (int i = k + 1; i < n - 1; i++)
        if (i < m)
          x[i] += A[k][i];
    }
    x[0] = x[k];
#pragma omp parallel for
    for (int j = k; j < m; j++)
      for (int i = j; i < n; i++)
        A[i][j] += x[i];
  }
  scale(n, x, 0.5);
}
