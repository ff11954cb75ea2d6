// flags: --parallel i --parallel h
// function: sums
// Second counters: one that the source says to be linear, and one of a loop that it does not mark.
void sums(int n, double *restrict A, double *restrict s) {
  int k = 0, l = 0;
#pragma omp parallel for linear(k : 2)
  for (int i = 0; i < n; i++) {
    s[i] = A[k];
    k += 2;
  }
  for (int h = 0; h < n; h++) {
    s[h] += A[l];
    l++;
  }
}
