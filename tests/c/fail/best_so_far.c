// function: index_of_smallest
// The element to compare with is the best one so far, whose index depends on data.
int index_of_smallest(int n, const double *a) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (a[i] < a[best]) best = i;
  return best;
}
