// function: clear
// The bounds are members of a structure in memory, not sizes of the function.
struct matrix {
  int rows, cols;
  double *data;
};

void clear(struct matrix *m) {
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->cols; j++)
      m->data[i * m->cols + j] = 0.0;
}
