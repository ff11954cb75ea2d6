// function: add
// What a vector computes before it allocates memory, the smaller of two limits among it, is in registers.
#include <vector>

void add(int n, double *out) {
  std::vector<double> a(n), b(n);
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  for (int i = 0; i < n; i++) out[i] = a[i] + b[i];
}
