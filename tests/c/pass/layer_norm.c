// function: layer_norm
// sizes: rows=8 cols=32; rows=25 cols=64
// Mean and variance of each row, then scaled by vectors of parameters.
#include <math.h>

void layer_norm(int rows, int cols, float x[rows][cols], const float *gamma, const float *beta) {
  for (int r = 0; r < rows; r++) {
    float mean = 0, var = 0;
    for (int c = 0; c < cols; c++)
      mean += x[r][c];
    mean /= cols;
    for (int c = 0; c < cols; c++)
      var += (x[r][c] - mean) * (x[r][c] - mean);
    const float inv = 1.0f / sqrtf(var / cols + 1e-5f);
    for (int c = 0; c < cols; c++)
      x[r][c] = (x[r][c] - mean) * inv * gamma[c] + beta[c];
  }
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long rows = atol(argv[1]);
  long cols = atol(argv[2]);
  float *x = aligned_alloc(64, ((rows * cols) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (rows * cols); i++) x[i] = (i * 7 + 3) % 11 + 1;
  float *gamma = aligned_alloc(64, (cols * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < cols; i++) gamma[i] = (i * 7 + 3) % 11 + 1;
  float *beta = aligned_alloc(64, (cols * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < cols; i++) beta[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  layer_norm(rows, cols, (void *)x, gamma, beta);
  trace_stop();
  free(x);
  free(gamma);
  free(beta);
  return 0;
}
#endif
