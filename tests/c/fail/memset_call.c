// function: clear_and_sum
// memset writes the array in an order and a width that only the library knows.
#include <string.h>

void clear_and_sum(int n, const double *a, double *out) {
  memset(out, 0, n * sizeof *out);
  for (int i = 0; i < n; i++)
    out[0] += a[i];
}
