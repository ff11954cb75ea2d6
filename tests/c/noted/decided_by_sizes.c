// function: guarded
// A size is at least 1, and what that decides is said, with the side that is taken: alone, with others, in a switch.
void guarded(int n, int m, double *restrict a, double *restrict b) {
  if (n == 0) a[0] = 0.0;
  if (n > 0 && m >= 0) a[1] = 0.0;
  switch (m) {
  case -1: a[2] = 0.0; break;
  case 0: a[4] = 0.0; break;
  default: a[3] = 0.0;
  }
  for (int i = 0; i < n; i++) a[i] = 1.0;
  for (int i = 0; i < m; i++) b[i] = 1.0;
}
