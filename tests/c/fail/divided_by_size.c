// function: rows_of_flat
// The subscript is an iterator divided by a size.
void rows_of_flat(int n, int m, const double *a, double *row_sum) {
  for (int k = 0; k < n; k++)
    row_sum[k / m] += a[k];
}
