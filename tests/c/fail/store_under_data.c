// function: clip
// The store happens only where the element is negative.
void clip(int n, const double *a, double *out) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0) out[i] = 0.0;
}
