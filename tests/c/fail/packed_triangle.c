// function: packed_trace
// Packed storage of a triangle: the row's start i * (i + 1) / 2 is a quadratic function of the iterator.
double packed_trace(int n, const double *p) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      s += p[i * (i + 1) / 2 + j];
  return s;
}
