// function: each
// A table of pointers to arrays that the function also uses by their names.
static double values[4][100];
static double *const rows[2] = {values[1], values[3]};

void each(int n) {
  for (int row = 0; row < 2; row++)
    for (int i = 0; i < n; i++)
      rows[row][i] += values[3][i];
}
