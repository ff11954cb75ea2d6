// function: dispatch
// sizes: n=64; n=101
// A switch with a case that falls through and a default.
void dispatch(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++) {
    switch (i % 4) {
    case 0:
      a[i] = b[i];
      break;
    case 1:
      a[i] = 2.0 * b[i]; /* fall through */
    case 2:
      a[i] += b[n - 1 - i];
      break;
    default:
      a[i] = 0.0;
    }
  }
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
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  dispatch(n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
