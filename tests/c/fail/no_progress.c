// function: stuck
// The counter is only stepped under a condition that it may never meet, so the loop need not end.
void stuck(int n, double *a) {
  int i = 0;
  while (i < n) {
    a[i] = 0.0;
    if (i < n / 2) i++;
  }
}
