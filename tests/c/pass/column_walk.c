// function: column_norms
// sizes: n=16 m=24; n=33 m=40
// A pointer walks down each column, by the row length.
void column_norms(int n, int m, const double *A, double *s) {
  for (int j = 0; j < m; j++) {
    const double *p = A + j;
    double t = 0.0;
    for (int i = 0; i < n; i++) {
      t += *p * *p;
      p += m;
    }
    s[j] = t;
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
  double *s = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) s[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  column_norms(n, m, A, s);
  trace_stop();
  free(A);
  free(s);
  return 0;
}
#endif
