// function: until_between
// sizes: n=9 m=24; n=24 m=9; n=3 m=40
// Left under two conditions on one counter: in the first iteration in which both hold, or never, where the steps miss it.
void until_between(int n, int m, double *a, double *b) {
  for (int i = 0; i < m; i++) {
    if (i >= n && i < n + 4) break;
    a[i] = 0.0;
  }
  for (int i = 0; i < m; i += 5) {
    b[i] = 1.0;
    if (i >= n && i < n + 2) break;
    b[i + 1] = 2.0;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = aligned_alloc(64, ((m + 8) * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, ((m + 8) * sizeof(double) + 64) / 64 * 64);
  trace_start();
  until_between(n, m, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
