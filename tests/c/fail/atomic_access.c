// function: tally
// An atomic counter in memory is shared with other threads.
#include <stdatomic.h>

void tally(int n, const int *a, _Atomic int *total) {
  for (int i = 0; i < n; i++)
    atomic_fetch_add(total, a[i]);
}
