// flags: --parallel marked
// function: sums
// Counters of which each thread has its own: what they are depends on the iterations that the thread has run before.
void sums(int n, double *restrict A, double *restrict s) {
  int k = 0, l = 0, last = 5;
  double *p = A;
#pragma omp parallel for firstprivate(k)
  for (int i = 0; i < n; i++) {
    s[i] = A[k];
    k++;
  }
#pragma omp parallel for reduction(+ : l)
  for (int i = 0; i < n; i++) {
    s[i] += A[l];
    l += 2;
  }
#pragma omp parallel for firstprivate(p)
  for (int i = 0; i < n; i++)
    s[i] += *p++;
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; i++) {
    s[i] += A[last];
    last = i;
  }
}
