// function: downwards
// The counter is unsigned, so it is at least zero for ever, and the loop never ends.
void downwards(unsigned n, double *a) {
  for (unsigned i = n - 1; i >= 0; i--)
    a[i] = 0.0;
}
