// flags: --parallel marked
// function: two_sweeps
// The macro makes two loops of one line, and the pragma is about the inner one.
#define TWICE(x, n)                     \
  for (int t = 0; t < 2; t++) {         \
    _Pragma("omp parallel for")         \
    for (int j = 0; j < n; j++)         \
      x[t * n + j] += 1;                \
  }

void two_sweeps(int n, double *x) {
  TWICE(x, n)
}
