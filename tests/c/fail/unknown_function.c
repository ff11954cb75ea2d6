// function: filter_rows
// A function of another file gets the array; what it accesses is not known here.
void smooth_row(double *row, int m);

void filter_rows(int n, int m, double *A) {
  for (int i = 0; i < n; i++)
    smooth_row(A + i * m, m);
}
