// function: scale4
// sizes: n=64; n=66; n=3
// Unrolled by four by hand; the same counter goes on in the loop for what remains.
void scale4(int n, double *x, double f) {
  int i;
  for (i = 0; i + 3 < n; i += 4) {
    x[i] *= f;
    x[i + 1] *= f;
    x[i + 2] *= f;
    x[i + 3] *= f;
  }
  for (; i < n; i++)
    x[i] *= f;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) x[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  scale4(n, x, 1.5);
  trace_stop();
  free(x);
  return 0;
}
#endif
