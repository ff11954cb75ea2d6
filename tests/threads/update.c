// Iterations are dealt in chunks: with those shorter than a line, two threads write parts of the same line.
void update(int m, int n, int k, double a[n]) {
  for (int r = 0; r < m; r++) {
#pragma omp parallel for schedule(static, CHUNK)
    for (int i = 0; i < n; i++)
      for (int s = 0; s < k; s++)
        a[i] = a[i] * 0.5 + 1.0;
  }
}
