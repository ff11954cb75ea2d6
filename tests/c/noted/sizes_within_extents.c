// function: lower
// Arrays that are declared for the largest problem: sizes are at most these extents.
#define LARGEST 12
static double u[LARGEST][LARGEST + 1][LARGEST + 1], v[LARGEST][LARGEST + 1][LARGEST + 1];

void lower(int nx, int ny, int nz) {
  for (int k = 1; k < nz - 1; k++)
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        v[k][j][i] -= u[k - 1][j][i] + u[k][j - 1][i] + u[k][j][i - 1];
}
