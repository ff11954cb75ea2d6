// function: clamped
// The standard library's smaller and larger of two return references: choices of an address, nested here. What they refer to are
// numbers in registers, as in any compiler.
#include <algorithm>

void clamped(int n, double *__restrict a, const double *__restrict b) {
  const int last = std::max(1, std::min(n, 64));
  for (int i = 0; i < n; i++) {
    double x = b[std::max(0, std::min(i - 1, n - 1))];
    a[i] = std::clamp(x, 0.0, 8.0);
  }
  for (int i = 0; i < last; i++) a[std::clamp(i + 1, 0, n - 1)] += 1.0;
}
