// function: scale_triangle
// sizes: uplo=85 n=24; uplo=76 n=24; uplo=0 n=16; uplo=-4 n=16
// A letter as in LAPACK, 'U' or something else, chooses the triangle.
void scale_triangle(char uplo, int n, double a[n][n]) {
  if (uplo == 'U') {
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) a[i][j] *= 2.0;
  } else {
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) a[i][j] *= 2.0;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long uplo = atol(argv[1]);
  long n = atol(argv[2]);
  double *a = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) a[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  scale_triangle((char)uplo, n, (double (*)[n])a);
  trace_stop();
  free(a);
  return 0;
}
#endif
