// function: copy_if
// Every parameter is at least 1, so an argument that is a flag is set.
void copy_if(int n, int flag, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    if (flag) b[i] = a[i];
}
