// flags: --parallel marked
// Threads share the iterations of both loops as one sequence, and the end of the inner one is in memory.
void fill(int n, const int *restrict m, double x[n][64]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < *m; j++) x[i][j] = 1;
}
