// flags: --branch 5=0.01 --branch 6=0.01 --branch 7=0.01
// Shares of conditions in each other, which are all met once in a million iterations.
void rare(int n, double *a, double *b, double *c) {
  for (int i = 0; i < n; i++)
    if (a[i] < 0.0)
      if (b[i] < 0.0)
        if (c[i] < 0.0) c[i] = 0.0;
}
