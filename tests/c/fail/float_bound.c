// function: fraction
// The bound is computed in floating point from a size.
void fraction(int n, double *a) {
  int end = (int)(0.75 * n);
  for (int i = 0; i < end; i++)
    a[i] = 0.0;
}
