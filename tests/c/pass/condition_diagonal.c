// function: identity
// sizes: n=16; n=80
// An equality of iterators decides between two stores.
void identity(int n, float A[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i == j)
        A[i][j] = 1.0f;
      else
        A[i][j] = 0.0f;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *A = aligned_alloc(64, ((n * n) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (n * n); i++) A[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  identity(n, (void *)A);
  trace_stop();
  free(A);
  return 0;
}
#endif
