// function: aligned_sum
// The loop starts where the address is a multiple of 32, and addresses are not known.
#include <stdint.h>

double aligned_sum(int n, const double *a) {
  int i = 0;
  double s = 0.0;
  while (i < n && ((uintptr_t)(a + i) & 31) != 0)
    s += a[i++];
  for (; i < n; i++)
    s += a[i];
  return s;
}
