/* Clears one row of a matrix; how many rows there are makes no difference. */
void one_row(int m, int n, double A[m][n]) {
  for (int j = 0; j < n; j++)
    A[0][j] = 0;
}
