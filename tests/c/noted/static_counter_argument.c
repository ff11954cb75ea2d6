// function: prefix
// As f2c writes it: the counter keeps its place in memory, and its address is an argument.
static void scale(const int *n, const double *factor, double *x) {
  for (int i = 0; i < *n; i++)
    x[i] *= *factor;
}

void prefix(int n, double factor, double *x) {
  static int i;
  for (i = 1; i <= n; ++i)
    scale(&i, &factor, x);
}
