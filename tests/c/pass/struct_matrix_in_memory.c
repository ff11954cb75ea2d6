// function: scale_matrix
// sizes: rows=16 cols=24; rows=20 cols=40
// The pointer to the data is a member that is read from memory in every step; the sizes are parameters.
struct matrix {
  double *data;
  int rows, cols;
};

void scale_matrix(struct matrix *m, int rows, int cols, double f) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      m->data[i * cols + j] *= f;
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long rows = atol(argv[1]);
  long cols = atol(argv[2]);
  double *data = aligned_alloc(64, ((rows * cols) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (rows * cols); i++) data[i] = (i * 7 + 3) % 11 + 1;
  _Alignas(64) struct matrix m = {data, rows, cols};
  trace_start();
  scale_matrix(&m, rows, cols, 0.5);
  trace_stop();
  free(data);
  return 0;
}
#endif
