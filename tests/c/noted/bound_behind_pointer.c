// function: dscal_
// The bound is behind a pointer, as in calls from Fortran: it is data in memory, not a size of the function.
void dscal_(const int *n, const double *a, double *x) {
  for (int i = 0; i < *n; i++)
    x[i] *= *a;
}
