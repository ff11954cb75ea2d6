// function: cyclic
// The remainder is by a size, not by a constant.
void cyclic(int n, int m, const double *a, double *ring) {
  for (int i = 0; i < n; i++)
    ring[i % m] += a[i];
}
