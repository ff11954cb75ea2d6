// function: kernel
// flags: --branch 8=1
// The variable that was chosen has changed when it is read.
#include <algorithm>

void kernel(int n, double *__restrict a, int *__restrict v) {
  for (int i = 0; i < n; i++) {
    int x = 2; const int &r = std::max(v[i], x);
    x = i;
    a[r] = 1;
  }
}
