// flags: --parallel marked
// function: sums
// An array in front of the loop, all of it at the place of a macro: threads share it.
#define SUMS                                     \
  double w[64];                                  \
  _Pragma("omp parallel for")                    \
  for (int i = 0; i < n; i++) {                  \
    for (int j = 0; j < 64; j++) w[j] = A[i][j]; \
    s[i] = w[0] + w[63];                         \
  }

void sums(int n, double A[restrict n][64], double s[restrict n]) {
  SUMS
}
