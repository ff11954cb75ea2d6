// function: copy_if
// An argument that nothing but a branch depends on is a parameter that may be 0: both sides are there.
void copy_if(int n, int flag, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    if (flag) b[i] = a[i];
}
