// flags: --parallel marked
// function: smooth
// Arrays of which each thread has its own: declared in the loop, in what it calls, and in a region, and named in a clause. A `static`
// one is shared.
static double scratch[64];

static double sum(int n, const double *restrict x) {
  double parts[64];
  for (int j = 0; j < 64; j++)
    parts[j] = x[j];
  for (int j = 1; j < n; j++)
    parts[j % 64] += x[j];
  return parts[0] + parts[63];
}

void smooth(int n, double A[restrict n][64], double s[restrict n]) {
  double t[64];
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 64; j++)
      t[j] = A[i][j];
    s[i] = t[0] + t[63];
  }
#pragma omp parallel for private(scratch)
  for (int i = 0; i < n; i++) {
    static const double weights[64];
    double w[64];
    for (int j = 0; j < 64; j++) {
      w[j] = A[i][j] * weights[j];
      scratch[j] = w[j];
    }
    s[i] += w[0] + scratch[63] + sum(64, A[i]);
  }
#pragma omp parallel
  {
    double r[64];
#pragma omp for
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 64; j++)
        r[j] = A[i][j];
#pragma omp single
    s[0] = r[0];
  }
}
