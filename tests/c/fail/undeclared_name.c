// function: broken
// A name is used that nobody has declared.
void broken(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = factor * a[i];
}
