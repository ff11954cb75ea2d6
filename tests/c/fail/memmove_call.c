// function: shift_down
// memmove chooses its direction by the addresses that it gets.
#include <string.h>

void shift_down(int n, double *a) {
  memmove(a, a + 1, (n - 1) * sizeof *a);
  a[n - 1] = 0.0;
}
