// function: masked_sum
// The element is read only where the mask says so.
double masked_sum(int n, const char *mask, const double *a) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    if (mask[i]) s += a[i];
  return s;
}
