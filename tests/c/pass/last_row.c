// function: swap_ends
// sizes: n=9 m=11; n=13 m=4
// The first and the last row of a flat matrix change places; no access goes from row to row.
static void swap_rows(double *a, double *b, int m) {
  while (m--) {
    double t = *a;
    *a++ = *b;
    *b++ = t;
  }
}

void swap_ends(int n, int m, double *a) {
  swap_rows(a, a + (n - 1) * m, m);
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *a = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) a[i] = i % 7 + 1;
  trace_start();
  swap_ends(n, m, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
