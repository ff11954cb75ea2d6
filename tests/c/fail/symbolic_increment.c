// function: strided_copy
// Increments that are sizes: the subscript is a product of an iterator and a size with nothing that bounds it.
void strided_copy(int n, const double *x, int incx, double *y, int incy) {
  int ix = 0, iy = 0;
  for (int i = 0; i < n; i++) {
    y[iy] = x[ix];
    ix += incx;
    iy += incy;
  }
}
