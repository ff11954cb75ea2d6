// An array that is refused comes before one that is not.
void strided_before_plain(int n, int m, double *a, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[i * m];
}
