// function: scale_
// What LAPACK calls where an argument is wrong ends the program; its argument is no memory.
void xerbla_(const char *name, const int *info, long length);

void scale_(const int *n, double *restrict a) {
  int info = 0;
  if (*n < 0)
    info = 1;
  if (info != 0) {
    xerbla_("SCALE ", &info, 6);
    return;
  }
  for (int i = 0; i < *n; i++)
    a[i] *= 2.0;
}
