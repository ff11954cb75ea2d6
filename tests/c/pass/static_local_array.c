// function: delay_line
// sizes: n=64; n=300
// A static array inside the function, used as a ring of eight elements with i & 7.
void delay_line(int n, const double *x, double *y) {
  _Alignas(64) static double ring[8];
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + 0.5 * ring[i & 7];
    ring[i & 7] = y[i];
  }
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
  double *y = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  delay_line(n, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
