// function: goto_loop
// sizes: n=64; n=1
// A loop made of a label and two jumps.
void goto_loop(int n, double *a) {
  int i = 0;
again:
  if (i >= n) goto done;
  a[i] = a[i] * a[i];
  ++i;
  goto again;
done:
  return;
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
  goto_loop(n, a);
  trace_stop();
  free(a);
  return 0;
}
#endif
