// function: clear_flat
// The bound is a product of two sizes, which is not affine.
void clear_flat(int n, int m, double *a) {
  for (int k = 0; k < n * m; k++)
    a[k] = 0.0;
}
