// function: row_by_row
// Each step gets memory anew; whether it is the same as before is up to the allocator.
#include <stdlib.h>

void row_by_row(int n, int m, double *A) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++)
      t[j] = A[i * m + j];
    for (int j = 0; j < m; j++)
      A[i * m + j] = t[m - 1 - j];
    free(t);
  }
}
