// function: block_axpby
// sizes: n=12 m=10 lda=16 ldb=24; n=20 m=24 lda=24 ldb=40
// flags: --assume 'lda >= m and ldb >= m'
// Parts of larger matrices: the distance of rows is a size of its own, at least the number of columns.
void block_axpby(int n, int m, const double *a, int lda, double *b, int ldb) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * ldb + j] = 0.5 * b[i * ldb + j] + 2.0 * a[i * lda + j];
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  long n = atol(argv[1]);
  long m = atol(argv[2]);
  long lda = atol(argv[3]);
  long ldb = atol(argv[4]);
  double *a = aligned_alloc(64, ((n * lda) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * lda); i++) a[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, ((n * ldb) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * ldb); i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  block_axpby(n, m, a, lda, b, ldb);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
