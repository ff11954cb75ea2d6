// function: server
// The loop never ends, so there is no number of accesses.
void server(int n, double *a) {
  for (;;)
    for (int i = 0; i < n; i++)
      a[i] += 1.0;
}
