// Loops without a function. `n` is declared and never set, so it is an argument too; extents may come several in a declaration.
int n;
int i, j;
double a[n][m], b[n][m], *p;

for (i = 1; i < n; i++)
  for (j = 0; j < m; j++)
    b[i][j] = a[i - 1][j];
