// function:
// Two functions, and none is chosen.
void twice(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2.0;
}

void thrice(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 3.0;
}
