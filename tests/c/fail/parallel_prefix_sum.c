// flags: --parallel i
// function: prefix_sums
// Each iteration stores the sum that the one before it has left.
double prefix_sums(int n, const double x[restrict n], double sums[restrict n]) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    sums[i] = sum;
  }
  return sum;
}
