// function: gather
// The subscript is an element of an array, so where the access goes depends on data.
void gather(int n, const int *index, const double *a, double *out) {
  for (int i = 0; i < n; i++)
    out[i] = a[index[i]];
}
