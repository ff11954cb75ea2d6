// function: row_scale
// sizes: n=24 m=16; n=7 m=80
// A pointer to the row is computed once per row and indexed in the inner loop.
void row_scale(int n, int m, double *A, const double *d) {
  for (int i = 0; i < n; i++) {
    double *row = A + (long)i * m;
    double f = 1.0 / d[i];
    for (int j = 0; j < m; j++)
      row[j] *= f;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  double *A = aligned_alloc(64, ((n * m) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * m); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *d = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) d[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  row_scale(n, m, A, d);
  trace_stop();
  free(A);
  free(d);
  return 0;
}
#endif
