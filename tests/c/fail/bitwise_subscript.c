// function: sierpinski
// The subscript is the bitwise conjunction of two iterators.
void sierpinski(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i & j] += 1.0;
}
