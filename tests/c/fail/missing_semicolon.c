// function: broken
// A semicolon is missing after a statement.
void broken(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0.0
}
