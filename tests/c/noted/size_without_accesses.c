// function: cleared
// Nothing that is accessed depends on m, but m is at least 1, and that decides the branch.
#include <stdlib.h>

void cleared(int n, int m, double *restrict a) {
  double *unused = malloc(m * sizeof(double));
  if (m == 0) return;
  for (int i = 0; i < n; i++) a[i] = 1.0;
  free(unused);
}
