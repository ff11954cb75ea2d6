// function: triangle_in_reverse
// sizes: n=24; n=16
// The second sweep begins with the row that the first has left last: how far back a row lies is quadratic in its number.
void triangle_in_reverse(int n, double A[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i][j] = i - j;
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < i; j++) A[i][j] += 1;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double(*A)[n] = aligned_alloc(64, (n * n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n * n; i++) A[0][i] = i;
  trace_start();
  triangle_in_reverse(n, A);
  trace_stop();
  free(A);
  return 0;
}
#endif
