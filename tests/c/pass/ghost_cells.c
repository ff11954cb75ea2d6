// function: relax
// sizes: N=14; N=30
// A grid with a border of ghost cells: rows are N + 2 long, written by a macro; the border is a copy.
#define IX(i, j) ((i) + (N + 2) * (j))

void relax(int N, float *x, const float *x0) {
  for (int k = 0; k < 2; k++) {
    for (int i = 1; i <= N; i++)
      for (int j = 1; j <= N; j++)
        x[IX(i, j)] = (x0[IX(i, j)] + x[IX(i - 1, j)] + x[IX(i + 1, j)] + x[IX(i, j - 1)] + x[IX(i, j + 1)]) / 4;
    for (int i = 1; i <= N; i++) {
      x[IX(0, i)] = x[IX(1, i)];
      x[IX(N + 1, i)] = x[IX(N, i)];
      x[IX(i, 0)] = x[IX(i, 1)];
      x[IX(i, N + 1)] = x[IX(i, N)];
    }
    x[IX(N + 1, N + 1)] = x[IX(N, N + 1)];
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
  if (argc < 2) return 2;
  long N = atol(argv[1]);
  float *x = zeros((N + 2) * (N + 2) * sizeof(float)), *x0 = zeros((N + 2) * (N + 2) * sizeof(float));
  trace_start();
  relax(N, x, x0);
  trace_stop();
  return 0;
}
#endif
