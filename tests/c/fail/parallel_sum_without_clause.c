// flags: --parallel marked
// function: total_of
// A sum that the pragma does not name: threads would add to one variable.
double total_of(int n, const double x[restrict n]) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
