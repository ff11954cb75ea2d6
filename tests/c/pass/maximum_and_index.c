// function: index_of_largest
// sizes: n=64; n=300
// The largest value and where it is, both in registers: the branch on data touches no memory.
int index_of_largest(int n, const double *a) {
  int where = 0;
  double best = a[0];
  for (int i = 1; i < n; i++) {
    double v = a[i];
    if (v > best) {
      best = v;
      where = i;
    }
  }
  return where;
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
  index_of_largest(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
