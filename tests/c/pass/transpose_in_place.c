// function: transpose
// sizes: n=16; n=96
// A square matrix in a flat array, transposed in place below the diagonal.
void transpose(int n, double *a) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++) {
      double t = a[i * n + j];
      a[i * n + j] = a[j * n + i];
      a[j * n + i] = t;
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *a = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  transpose(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
