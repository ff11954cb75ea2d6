// function: inside
// The number of elements is a product of two differences; where both are negative, it is positive.
#include <string.h>

void inside(int n, int m, double *a) {
  memset(a, 0, sizeof(double) * (m - 2) * (n - 2));
  for (int i = 0; i < n - 2; i++)
    for (int j = 0; j < m - 2; j++)
      a[i * (m - 2) + j] += 1.0;
}
