// function: trace_and_sum
// sizes: rows=16 cols=24; rows=30 cols=8
// size_t throughout, with the product in the subscript in size_t as well.
#include <stddef.h>

double trace_and_sum(size_t rows, size_t cols, const double *m) {
  double s = 0;
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < cols; ++c)
      s += m[r * cols + c];
  return s;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long rows = atol(argv[1]);
  long cols = atol(argv[2]);
  double *m = aligned_alloc(64, ((rows * cols) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (rows * cols); i++) m[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  trace_and_sum(rows, cols, m);
  trace_stop();
  free(m);
  return 0;
}
#endif
