// flags: --parallel i
// function: sums
// An array in front of the loop, all of it at the place of a macro: there is one for all threads.
#define SUMS                           \
  double w[64];                        \
  for (int j = 0; j < 64; j++)         \
    w[j] = A[0][j];                    \
  for (int i = 1; i < n; i++)          \
    for (int j = 0; j < 64; j++)       \
      s[i] += A[i][j] * w[j];

void sums(int n, double A[restrict n][64], double s[restrict n]) {
  SUMS
}
