// function: absorb
// The bound grows or shrinks with the data as the loop runs.
void absorb(int n, const int *a, int *out) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i];
    if (a[i] < 0) n--;
  }
}
