// function: sum
// An element takes 16 bytes in memory, of which 10 are used.
long double sum(int n, const long double *a) {
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}
