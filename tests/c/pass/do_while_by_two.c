// function: pairs
// sizes: n=24; n=9; n=1
// The last iteration is the first one whose counter is not below the end, which the steps may jump over.
void pairs(int n, double *a, double *b) {
  int i = 0;
  do {
    a[i] = 0.5 * a[i + 1];
    i += 2;
  } while (i < n);
  for (int k = 0; k < n; k += 3) {
    b[k] = 1.0;
    if (k > 7) break;
    b[k + 1] = a[k];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  double *a = aligned_alloc(64, ((n + 8) * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, ((n + 8) * sizeof(double) + 64) / 64 * 64);
  for (int i = 0; i < n + 8; i++) a[i] = b[i] = i;
  trace_start();
  pairs(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
