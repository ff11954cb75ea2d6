// function: row_maxima
// sizes: n=24; n=57
// A pointer to rows of constant length; the number of rows is a size.
#include <math.h>

void row_maxima(int n, double (*A)[200], double *top) {
  for (int i = 0; i < n; i++) {
    double best = A[i][0];
    for (int j = 1; j < 200; j++)
      best = fmax(best, A[i][j]);
    top[i] = best;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  double *A = aligned_alloc(64, ((n * 200) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (n * 200); i++) A[i] = (i * 7 + 3) % 11 + 1;
  double *top = aligned_alloc(64, (n * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) top[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  row_maxima(n, (void *)A, top);
  trace_stop();
  free(A);
  free(top);
  return 0;
}
#endif
