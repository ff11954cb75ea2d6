// function: lower_bound
// Each comparison decides which half is searched next.
int lower_bound(int n, const double *a, double key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
