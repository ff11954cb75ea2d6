// function: powers
// sizes: n=8 steps=2; n=16 steps=1
// memset and memcpy, of n*n elements too: the compiled program has the loops that they stand for.
#include <string.h>

void powers(int n, int steps, const double *A, double *B, double *C, double *row) {
  for (int s = 0; s < steps; s++) {
#ifdef TRACED
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        C[i * n + j] = 0;
#else
    memset(C, 0, n * n * sizeof *C);
#endif
    for (int i = 0; i < n; i++) {
#ifdef TRACED
      for (int j = 0; j < n; j++) row[j] = B[i * n + j];
#else
      memcpy(row, B + i * n, n * sizeof *row);
#endif
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          C[i * n + j] += row[k] * A[k * n + j];
    }
#ifdef TRACED
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        B[i * n + j] = C[i * n + j];
#else
    memcpy(B, C, sizeof(double) * n * n);
#endif
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

static void *zeros(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  char *memory = aligned_alloc(64, bytes);
  for (size_t i = 0; i < bytes; i++) memory[i] = 0;
  return memory;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long n = atol(argv[1]);
  long steps = atol(argv[2]);
  double *A = zeros(n * n * sizeof(double)), *B = zeros(n * n * sizeof(double));
  double *C = zeros(n * n * sizeof(double)), *row = zeros(n * sizeof(double));
  trace_start();
  powers(n, steps, A, B, C, row);
  trace_stop();
  return 0;
}
#endif
