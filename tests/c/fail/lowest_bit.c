// function: fenwick_build
// The subscript clears the lowest bit that is set, i & (i - 1), which is no affine function.
void fenwick_build(int n, double *a) {
  for (int i = 1; i <= n; i++)
    a[i & (i - 1)] += a[i];
}
