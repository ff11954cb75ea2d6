// flags: --parallel marked
// The end of the inner loop is read between the two, whose iterations threads share as one sequence.
struct shape {
  int rows, columns;
};
void fill(const struct shape *restrict shape, double x[][64]) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < shape->rows; i++)
    for (int j = 0; j < shape->columns; j++) x[i][j] = 1;
}
