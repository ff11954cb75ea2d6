// function: odd_from_the_end
// sizes: n=64; n=65
// A step of minus two from the last element to the first or second.
double odd_from_the_end(int n, const double *a) {
  double s = 0.0;
  for (int i = n - 1; i >= 0; i -= 2)
    s = a[i] - 0.5 * s;
  return s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  odd_from_the_end(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
