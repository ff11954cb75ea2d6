// function: clamp
// sizes: n=40; n=16
// flags: --branch 7=0.5 --branch 9=1/4
// Conditions on data that hold in a share of the iterations; the data here are such that these are the same ones.
void clamp(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.0)
      a[i] = 0.0;
    if (b[i] > 1.0)
      b[i] = 1.0;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (int i = 0; i < n; i++) {
    a[i] = i % 2 == 0 ? -1 : 1;
    b[i] = i % 4 == 0 ? 2 : 0;
  }
  trace_start();
  clamp(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
