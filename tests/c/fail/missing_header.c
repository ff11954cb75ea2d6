// function: scale
// A header is included that does not exist.
#include "no_such_header_here.h"

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2.0;
}
