// flags: --parallel marked -- -fopenmp
// function: mean_removed
// A sum that the next loop uses and the function returns: the threads of that loop only read it.
double mean_removed(int n, const double *restrict a, double *restrict b) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp parallel for
  for (int p = 0; p < n; p++)
    b[p] = a[p] - s / n;
  return s;
}
