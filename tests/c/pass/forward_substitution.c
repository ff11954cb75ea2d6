// function: forward
// sizes: n=16; n=96
// A triangular solve with a while loop inside a for loop.
void forward(int n, double L[n][n], double *b) {
  for (int i = 0; i < n; ++i) {
    double s = b[i];
    int j = 0;
    while (j < i) {
      s -= L[i][j] * b[j];
      ++j;
    }
    b[i] = s / L[i][i];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *L = aligned_alloc(64, ((n * n) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) L[i] = (i * 7 + 3) % 11 + 1;
  double *b = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) b[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  forward(n, (void *)L, b);
  trace_stop();
  free(L);
  free(b);
  return 0;
}
#endif
