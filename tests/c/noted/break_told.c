// function: first_negative
// flags: --branch 7=0
// The search is taken to find nothing.
int first_negative(int n, const double *a) {
  int i;
  for (i = 0; i < n; i++)
    if (a[i] < 0.0) break;
  return i;
}
