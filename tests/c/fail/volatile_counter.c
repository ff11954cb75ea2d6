// function: wait
// The counter is volatile, so it lives in memory and another may change it.
void wait(int n, double *a) {
  for (volatile int i = 0; i < n; i++)
    a[i] = 0.0;
}
