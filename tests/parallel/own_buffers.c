// Buffers of each thread, which are declared in loops: in the body, in a loop in it, and with chunks of iterations. The `traced`
// comments are calls in the program that is compiled.

void own_buffers(int n, int m, double A[n][m], double s[n]) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++) {
    double row[64];
    // traced: row
    for (int j = 0; j < m; j++)
      row[j] = A[i - 1][j] + A[i + 1][j];
    for (int j = 1; j < m; j++)
      s[i] += row[j - 1] * row[j];
  }
  for (int i = 0; i < n; i++)
    s[i] += A[i][0];
}
