// function: blocked_product
// sizes: n=16; n=40
// flags: --assume 'n mod 4 = 0'
// Four columns at a time, accumulated in four registers; the size is a multiple of four.
void blocked_product(int n, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i += 4)
    for (int j = 0; j < n; j += 4) {
      for (int r = 0; r < 4; r++) {
        double c0 = 0, c1 = 0, c2 = 0, c3 = 0;
        for (int k = 0; k < n; k++) {
          double a = A[(i + r) * n + k];
          c0 += a * B[k * n + j];
          c1 += a * B[k * n + j + 1];
          c2 += a * B[k * n + j + 2];
          c3 += a * B[k * n + j + 3];
        }
        C[(i + r) * n + j] = c0;
        C[(i + r) * n + j + 1] = c1;
        C[(i + r) * n + j + 2] = c2;
        C[(i + r) * n + j + 3] = c3;
      }
    }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *B = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) B[i] = (i * 7 + 3) % 11 + 1;
  double *C = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) C[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  blocked_product(n, A, B, C);
  trace_stop();
  free(A);
  free(B);
  free(C);
  return 0;
}
#endif
