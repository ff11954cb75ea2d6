// flags: --parallel marked --registers optimized
// function: twice
// An optimiser makes vectors of four iterations, which threads would then not share as the pragma says.
void twice(int n, const double *restrict x, double *restrict y) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}
