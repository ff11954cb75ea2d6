// function: first_negative
// The loop ends at the first negative element, so the number of steps depends on data.
int first_negative(int n, const double *a) {
  int i;
  for (i = 0; i < n; i++)
    if (a[i] < 0.0) break;
  return i;
}
