// flags: --parallel i -- -fopenmp
// function: sums
// What each thread touches depends on its number, which is not known.
#include <omp.h>

void sums(int n, const double *restrict a, double *restrict sum) {
  for (int i = 0; i < n; i++)
    sum[i] = a[omp_get_thread_num()];
}
