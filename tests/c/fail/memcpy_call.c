// function: copy_row
// memcpy accesses both arrays in an order and a width that only the library knows.
#include <string.h>

void copy_row(int n, int m, const double *row, double *A) {
  for (int i = 0; i < n; i++)
    memcpy(A + i * m, row, m * sizeof *row);
}
