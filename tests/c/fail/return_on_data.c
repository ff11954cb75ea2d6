// function: equal
// The function returns at the first difference, so which accesses happen depends on data.
#include <stdbool.h>

bool equal(int n, const int *a, const int *b) {
  for (int i = 0; i < n; i++)
    if (a[i] != b[i]) return false;
  return true;
}
