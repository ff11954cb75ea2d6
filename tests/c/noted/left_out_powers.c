// function: halves
// flags: --skip-refused
// The numbers of iterations of the first two nests are not affine; the third one, whose counter starts where they end, is read.
void halves(int n, double *restrict a, double *restrict b) {
  for (int i = 1; i < n; i *= 2)
    a[i] = 0;
  for (int i = n; i > 0; i /= 2)
    a[i - 1] += 1;
  for (int j = 0; j < n; j++)
    b[j] = 1;
}
