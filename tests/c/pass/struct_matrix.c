// function: scaled_copy
// sizes: rows=16 cols=24; rows=30 cols=8
// Matrices as structures of sizes and data, handed to inline helpers by address:
// after inlining all of it is in registers.
struct matrix {
  int rows, cols;
  double *data;
};

static inline double get(const struct matrix *m, int i, int j) { return m->data[i * m->cols + j]; }

static inline void set(struct matrix *m, int i, int j, double v) { m->data[i * m->cols + j] = v; }

void scaled_copy(int rows, int cols, double *from, double *to) {
  struct matrix a = {rows, cols, from};
  struct matrix b = {rows, cols, to};
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < a.cols; j++)
      set(&b, i, j, 2.0 * get(&a, i, j));
}

#ifdef TRACED
#include <stdlib.h>

void trace_start(void);
void trace_stop(void);

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long rows = atol(argv[1]);
  long cols = atol(argv[2]);
  double *from = aligned_alloc(64, ((rows * cols) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (rows * cols); i++) from[i] = (i * 7 + 3) % 11 + 1;
  double *to = aligned_alloc(64, ((rows * cols) * sizeof(double) + 64) / 64 * 64);
  for (long i = 0; i < (rows * cols); i++) to[i] = (i * 7 + 3) % 11 + 1;
  trace_start();
  scaled_copy(rows, cols, from, to);
  trace_stop();
  free(from);
  free(to);
  return 0;
}
#endif
