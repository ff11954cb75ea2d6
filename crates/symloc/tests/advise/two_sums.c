/* Two sums of one quotient: only one of them can be collected in the element. */
void two_sums(int n, double A[restrict n][n], double W[restrict n][n], double R[restrict n]) {
  for (int j = 0; j < n; j++) {
    double sum = 0, weights = 1;
    for (int i = 0; i < n; i++) {
      sum += A[i][j];
      weights += W[i][j];
    }
    R[j] = sum / weights;
  }
}
