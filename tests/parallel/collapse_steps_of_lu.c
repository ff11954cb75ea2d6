// A nest whose bounds depend on the loop around it: its iterations are divided anew each time that it is reached.

void collapse_steps_of_lu(int n, double A[n][n], double x[n]) {
  for (int k = 0; k < n; k++) {
#pragma omp parallel for collapse(2)
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
#pragma omp parallel for collapse(2) schedule(static, 2)
    for (int i = 0; i < 2; i++)
      for (int j = k; j < n; j += 2)
        A[i][j] += x[j];
  }
}
