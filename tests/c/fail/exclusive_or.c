// function: swap_pairs
// The partner i ^ 1 is no sum of iterators; it would have to be taken apart by parity.
void swap_pairs(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    b[i ^ 1] = a[i];
}
