// function: largest
// sizes: n=64; n=300
// passes: inline,function(sroa,early-cse<memssa>)
// The usual maximum: the element is read for the comparison, and once more where it is larger.
double largest(int n, const double *a) {
  double best = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > best) best = a[i];
  return best;
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
  for (long i = 0; i < n; i++) a[i] = i * 5 % 13 + i / 20;
  trace_start();
  largest(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
