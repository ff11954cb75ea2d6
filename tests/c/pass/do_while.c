// function: accumulate
// sizes: n=64; n=1
// The test comes after the body: at least one step, which every size of one or more has.
double accumulate(int n, const double *a) {
  double sum = 0;
  int i = 0;
  do {
    sum += a[i];
    i++;
  } while (i < n);
  return sum;
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
  accumulate(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
