// function: broken
// A parenthesis is missing: this is not C.
void broken(int n, double *a) {
  for (int i = 0; i < n; i++
    a[i] = 0.0;
}
