// function: pack_upper
// A counter that is stepped by the inner loop of a triangle and carried on: a quadratic function of the iterators.
void pack_upper(int n, double A[n][n], double *P) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      P[k++] = A[i][j];
}
