// function: copy_triangle_
// sizes: uplo=85 n=16; uplo=76 n=16; uplo=0 n=9; uplo=-4 n=9
// A letter that is passed by reference, as by Fortran, chooses the triangle.
void copy_triangle_(const char *restrict uplo, const int *restrict n, const double *restrict a, double *restrict b) {
  if (*uplo == 'U') {
    for (int j = 0; j < *n; j++)
      for (int i = 0; i <= j; i++) b[i + j * 16] = a[i + j * 16];
  } else if (*uplo == 'L') {
    for (int j = 0; j < *n; j++)
      for (int i = j; i < *n; i++) b[i + j * 16] = a[i + j * 16];
  } else {
    for (int j = 0; j < *n; j++)
      for (int i = 0; i < *n; i++) b[i + j * 16] = a[i + j * 16];
  }
}

#ifdef TRACED
#include <stdlib.h>
#include <string.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  return memset(aligned_alloc(64, bytes), 0, bytes);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  _Alignas(64) char uplo = (char)atoi(argv[1]);
  _Alignas(64) int n = atoi(argv[2]);
  double *a = zeros(256 * sizeof(double)), *b = zeros(256 * sizeof(double));
  trace_start();
  copy_triangle_(&uplo, &n, a, b);
  trace_stop();
  free(a);
  free(b);
  return 0;
}
#endif
