// flags: --parallel i
// The loop is left between two writes, so the threads would not know how many iterations they share.
void fill(int n, double *restrict x, double *restrict y) {
  for (int i = 0;; i++) {
    x[i] = 1;
    if (i >= n) break;
    y[i] = 2;
  }
}
