// function: walk_rows
// sizes: n=16 m=24; n=33 m=40
// A pointer to the row is stepped by the row length after each row.
void walk_rows(int n, int m, const double *A, double *s) {
  const double *row = A;
  for (int i = 0; i < n; i++) {
    double t = 0.0;
    for (int j = 0; j < m; j++)
      t += row[j];
    s[i] = t;
    row += m;
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
  double *s = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) s[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  walk_rows(n, m, A, s);
  trace_stop();
  free(A);
  free(s);
  return 0;
}
#endif
