// function: row_histogram
// sizes: n=8; n=30
// A local array of constant size, cleared for each row; it is one array for all rows.
void row_histogram(int n, float A[][64], float *best) {
  _Alignas(64) float bin[16];
  for (int i = 0; i < n; i++) {
    for (int b = 0; b < 16; b++)
      bin[b] = 0.0f;
    for (int j = 0; j < 64; j++)
      bin[j / 4] += A[i][j];
    float s = 0.0f;
    for (int b = 0; b < 16; b++)
      s += bin[b] * bin[b];
    best[i] = s;
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long n = atol(argv[1]);
  float *A = aligned_alloc(64, ((n * 64) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (n * 64); i++) A[i] = (i * 7 + 3) % 11 + 1;
  float *best = aligned_alloc(64, (n * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < n; i++) best[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  row_histogram(n, (void *)A, best);
  trace_stop();
  free(A);
  free(best);
  return 0;
}
#endif
