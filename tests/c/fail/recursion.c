// function: sum
// The function calls itself.
double sum(int n, const double *a) {
  if (n == 1) return a[0];
  return sum(n / 2, a) + sum(n - n / 2, a + n / 2);
}
