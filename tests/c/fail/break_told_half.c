// function: first_negative
// flags: --branch 7=0.5
// A loop that is left in half of its iterations is left in the first: a share says nothing of its end.
int first_negative(int n, const double *a) {
  int i;
  for (i = 0; i < n; i++)
    if (a[i] < 0.0) break;
  return i;
}
