// function: row_sums
// flags: --registers optimized
// An optimiser takes the rest of each row before the unrolled loop, and compares addresses for its end.
void row_sums(int n, const double *restrict a, double *restrict s) {
  for (int i = 0; i < n; i++)
    for (const double *p = a + i * n, *end = p + n; p != end; p++)
      s[i] += *p;
}
