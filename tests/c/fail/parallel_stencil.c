// flags: --parallel marked
// function: relax
// Each iteration reads what the one before it writes.
void relax(int n, double x[restrict n]) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    x[i] = 0.5 * (x[i - 1] + x[i]);
}
