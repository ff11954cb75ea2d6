// function: ragged_sum
// The number of steps of the inner loop is read from an array.
double ragged_sum(int n, const int *length, double A[n][64]) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++)
      s += A[i][j];
  return s;
}
