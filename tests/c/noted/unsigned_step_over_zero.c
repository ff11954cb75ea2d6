// function: downwards
// Steps of two from an odd number pass zero, where the unsigned counter wraps around.
void downwards(unsigned n, double *a) {
  for (unsigned i = n; i > 0; i -= 2)
    a[i - 1] = 0.0;
}
