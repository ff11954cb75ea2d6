// Loops over tiles of symbolic size that have no affine form.

void start(int n, int T, double A[n]) {
  for (int ii = 1; ii < n; ii += T)
    A[ii] = 0.0;
}

void two_sizes(int n, int T, int U, double A[n]) {
  for (int ii = 0; ii < n; ii += T)
    A[ii] = 0.0;
  for (int jj = 0; jj < n; jj += U)
    A[jj] = 1.0;
}

void quotient(int n, int T, double A[n]) {
  for (int ii = 0; ii < n; ii += T)
    A[ii / 2] = 0.0;
}

void at_the_end(int n, int T, double A[n]) {
  int ii = 0;
  do {
    A[ii] = 0.0;
    ii += T;
  } while (ii < n);
}

void after(int n, int T, double A[2 * n]) {
  int ii;
  for (ii = 0; ii < n; ii += T)
    A[ii] = 0.0;
  A[ii] = 1.0;
}
