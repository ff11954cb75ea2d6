// function: grow
// realloc may move the array, and copies it in a way that is not in the source.
#include <stdlib.h>

double *grow(int n, double *a) {
  double *b = realloc(a, 2 * n * sizeof *b);
  for (int i = n; i < 2 * n; i++)
    b[i] = 0.0;
  return b;
}
