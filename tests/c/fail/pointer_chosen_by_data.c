// function: route
// Data decide which of two arrays is written.
void route(int n, const double *a, double *low, double *high) {
  for (int i = 0; i < n; i++) {
    double *to = a[i] < 0.5 ? low : high;
    to[i] = a[i];
  }
}
