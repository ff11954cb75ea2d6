// function: spaced
// Steps of two where m is large, else of one: a loop with a step that depends on a size.
void spaced(int n, int m, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i += m > 9 ? 2 : 1)
    a[i] = b[i];
}
