// function: first_part
// sizes: n=64 m=20; n=20 m=64
// The function returns from inside the loop when the counter passes a size.
double first_part(int n, int m, const double *a) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    if (i > m) return s;
    s += a[i];
  }
  return -s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  first_part(n, m, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
