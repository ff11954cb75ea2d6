// function: checked
// The branch to the failed assertion is not taken, and the assertion is no assumption.
#include <assert.h>

void checked(int n, int m, double *a) {
  assert(n <= m);
  for (int i = 0; i < n; i++)
    a[i] = 0.0;
}
