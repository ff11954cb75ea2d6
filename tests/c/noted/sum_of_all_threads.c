// function: sum_of_all_threads
// flags: --parallel i
double sum_of_all_threads(int n, int m, double a[n][m]) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j] > 0) sum += a[i][j];
  return sum;
}
