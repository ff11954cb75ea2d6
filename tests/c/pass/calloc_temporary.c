// function: column_sums
// sizes: n=16 m=24; n=40 m=64
// A temporary from calloc; the library's own clearing of it is no access of the program.
#include <stdlib.h>
#include <string.h>

#ifdef TRACED // the traced program puts every array at the start of a line
#define calloc(count, size) memset(aligned_alloc(64, ((count) * (size) + 63) / 64 * 64), 0, (count) * (size))
#endif

void column_sums(int n, int m, const double *A, double *out) {
  double *sum = (double *)calloc(m, sizeof *sum);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum[j] += A[i * m + j];
  for (int j = 0; j < m; j++)
    out[j] = sum[j] / n;
  free(sum);
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
  double *out = aligned_alloc(64, (m * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < m; i++) out[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  column_sums(n, m, A, out);
  trace_stop();
  free(A);
  free(out);
  return 0;
}
#endif
