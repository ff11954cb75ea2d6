// function: by_flag
// How long rows are depends on a flag: both lengths cannot be the rows of one array.
void by_flag(int n, int m, int wide, double *a) {
  int length = wide ? m + 1 : m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * length + j] = 0;
}
