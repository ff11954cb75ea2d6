// flags: -- -fopenmp
// function: sums
// The flag is left out: one thread, whose number is 0, does all iterations.
#include <omp.h>

void sums(int n, const double *restrict a, double *restrict sum) {
  int threads = omp_get_max_threads();
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sum[omp_get_thread_num()] += a[i];
  for (int t = 0; t < threads; t++)
    sum[t] *= 0.5;
}
