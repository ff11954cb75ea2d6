// function: steps
// sizes: n=24 m=5; n=9 m=3; n=1 m=40; n=7 m=1
// Loops that are left from their bodies, with steps that jump over the end, and some iterations that go on before the test.
void steps(int n, int m, double *a, double *b) {
  int i = n;
  do {
    i -= 3;
    if (i < 0) break;
    a[i] = 1.0;
  } while (i > 5);
  i = 0;
  while (1) {
    b[i] = 0.0;
    i += 3;
    if (i >= n) break;
    b[i - 1] = 1.0;
  }
  for (i = 0; i < n; i += 2) {
    if (i == m) continue;
    if (i > 2 * m) break;
    a[i] = b[i + 1];
  }
  for (i = 0; i < n; i++) {
    if (i < m) continue;
    b[i] = a[i];
    if (i > m + 3) break;
    a[i] = 0.0;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]);
  size_t bytes = ((n + 8) * sizeof(double) + 63) / 64 * 64;
  double *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes);
  for (int i = 0; i < n + 8; i++) a[i] = b[i] = i;
  trace_start();
  steps(n, m, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
