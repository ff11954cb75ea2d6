// flags: --branch 5=0.123
// A share with three decimal places.
void once(int n, double *a) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) a[i] = 0.0;
}
