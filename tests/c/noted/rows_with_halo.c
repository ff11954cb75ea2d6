// function: inner
// Rows of n + 2 elements, of which a loop that another size bounds leaves out the first.
double inner(int n, int m, double A[restrict m][n + 2]) {
  double sum = 0;
  for (int k = 0; k < m; k++)
    for (int i = 0; i < m; i++)
      sum += A[k][i + 1];
  return sum;
}
