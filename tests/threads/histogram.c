// Two threads count, each in a row of its own: rows that are not whole lines share one.
void histogram(int m, int n, long counts[2][WIDTH], long data[2][n]) {
  for (int r = 0; r < m; r++) {
#pragma omp parallel for schedule(static)
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < n; i++)
        counts[t][i % BINS] += data[t][i];
  }
}
