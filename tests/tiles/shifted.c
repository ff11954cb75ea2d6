// Copies a row of the first array behind another one, in tiles.
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void shifted(int n, int T, double *restrict A, double *restrict B) {
  for (int ii = 0; ii < n; ii += T)
    for (int i = ii; i < MIN(ii + T, n); i++)
      B[n + i] = A[i];
}
