// function: entered
// sizes: n=24 m=2 k=3; n=3 m=2 k=1; n=8 m=2 k=5; n=8 m=7 k=9; n=1 m=1 k=1
// Loops whose first iteration runs under a condition that is weaker later, or that holds in one of several ways.
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void entered(int n, int m, int k, double A[restrict n][64], double x[restrict n], double y[restrict 64]) {
  // A band.
  for (int i = 0; i < n; i++)
    for (int j = MAX(i - k, 0); j < n && j >= i - k; j++)
      y[i] += A[i][j] * x[j];
  int first = m;
  if (n > 4)
    first = n;
  for (; first < 20; first++) {
    if (first < 5)
      break;
    y[first] = 1;
  }
  for (int i = 0; i < n && !(m > 2 && n > 3); i++)
    x[i] = 1;
  // Never.
  for (int i = n; i > 0 && i < n; i--)
    x[i] = 2;
  for (int i = 0; i < n && i >= 5; i++)
    x[i] = 3;
  // The counter afterwards is -1, or where it began.
  int last;
  for (last = (n < m ? n : m); last >= 0 && last <= m; last--)
    y[last] = 4;
  y[last + 1] = 5;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]), k = atoi(argv[3]);
  double *a = aligned_alloc(64, n * 64 * sizeof(double));
  double *x = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  double *y = aligned_alloc(64, 64 * sizeof(double));
  trace_start();
  entered(n, m, k, (void *)a, x, y);
  trace_stop();
  return 0;
}
#endif
