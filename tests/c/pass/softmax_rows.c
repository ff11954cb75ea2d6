// function: softmax
// sizes: rows=8 cols=32; rows=20 cols=48
// Three passes over each row: the largest, the sum of exponentials, the division.
#include <math.h>

void softmax(int rows, int cols, const float *x, float *y) {
  for (int r = 0; r < rows; r++) {
    const float *in = x + r * cols;
    float *out = y + r * cols;
    float top = in[0];
    for (int c = 1; c < cols; c++)
      top = fmaxf(top, in[c]);
    float sum = 0.0f;
    for (int c = 0; c < cols; c++) {
      out[c] = expf(in[c] - top);
      sum += out[c];
    }
    for (int c = 0; c < cols; c++)
      out[c] /= sum;
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
  float *y = aligned_alloc(64, ((rows * cols) * sizeof(float) + 64) / 64 * 64);
  for (long i = 0; i < (rows * cols); i++) y[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  softmax(rows, cols, x, y);
  trace_stop();
  free(x);
  free(y);
  return 0;
}
#endif
