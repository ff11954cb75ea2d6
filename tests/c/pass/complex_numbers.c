// function: rotate
// sizes: n=64; n=111
// Complex numbers are two accesses each, to the real part and to the imaginary part.
#include <complex.h>

void rotate(int n, const double complex *z, double complex *w) {
  const double complex turn = 0.6 + 0.8 * I;
  for (int i = 0; i < n; i++)
    w[i] = z[i] + turn;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double _Complex *z = aligned_alloc(64, (n * sizeof(double _Complex) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) z[i] = (i * 7 + 3) % 11 + 1;
  double _Complex *w = aligned_alloc(64, (n * sizeof(double _Complex) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) w[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  rotate(n, z, w);
  trace_stop();
  free(z);
  free(w);
  return 0;
}
#endif
