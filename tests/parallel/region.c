// A parallel region of several loops, and statements that one thread runs.

void region(int n, double x[n], double y[n], double A[n][n]) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1.0;
#pragma omp single
    y[0] = x[n - 1];
#pragma omp for schedule(static, 3)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += x[j] * y[0];
#pragma omp for
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        y[j] += A[i][j];
  }
  for (int i = 1; i < n; i++)
    x[i] = y[i - 1];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    A[i][i] = x[i];
}
