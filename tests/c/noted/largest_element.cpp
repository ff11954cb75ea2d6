// function: largest
// The larger of two elements is read again through a reference, of which the compiler knows the value.
#include <algorithm>

void largest(int n, double *__restrict c, const double *__restrict a, const double *__restrict b) {
  for (int i = 0; i < n; i++) c[i] = std::max(std::max(a[i], b[i]), b[i + 1]);
}
