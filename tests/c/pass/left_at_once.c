// function: left
// sizes: n=9 m=3; n=100 m=4; n=1 m=1; n=8 m=12
// Loops that are left in their first iteration in any case.
void left(int n, int m, double a[restrict n], double b[restrict n], double c[restrict m]) {
  // Unrolled once.
  for (int i = 0; i < n; i++) {
    int j = 0;
    while (j < n) {
      b[i] += a[j];
      if (++j >= 1)
        break;
    }
  }
  // The first of the rest.
  for (int i = 0; i < n; i++)
    for (int l = i; l < n; l++) {
      a[l] += 1;
      if (l >= i)
        break;
    }
  // As sizes are at least 1.
  for (int i = 0; i < n; i++) {
    a[i] = m;
    if (m >= 1)
      break;
  }
  // For some sizes.
  for (int i = 0; i < n; i++) {
    b[i] = m;
    if (m <= 7)
      break;
  }
  for (int i = 0; i < m; i++)
    c[i] = 1;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double *a = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double *c = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  trace_start();
  left(n, m, a, b, c);
  trace_stop();
  return 0;
}
#endif
