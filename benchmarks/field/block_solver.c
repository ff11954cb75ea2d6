// A block tridiagonal solver along lines in the first direction, as BT's x_solve of the NAS Parallel Benchmarks has it: blocks of
// 5 × 5, eliminated without pivoting, the elimination of a block written out.

static void matvec_sub(double block[5][5], double vector[5], double result[5]) {
  for (int m = 0; m < 5; m++)
    result[m] = result[m] - block[m][0] * vector[0] - block[m][1] * vector[1] - block[m][2] * vector[2]
                - block[m][3] * vector[3] - block[m][4] * vector[4];
}

static void matmul_sub(double a[5][5], double b[5][5], double c[5][5]) {
  for (int l = 0; l < 5; l++) {
    c[0][l] = c[0][l] - a[0][0] * b[0][l] - a[0][1] * b[1][l] - a[0][2] * b[2][l] - a[0][3] * b[3][l] - a[0][4] * b[4][l];
    c[1][l] = c[1][l] - a[1][0] * b[0][l] - a[1][1] * b[1][l] - a[1][2] * b[2][l] - a[1][3] * b[3][l] - a[1][4] * b[4][l];
    c[2][l] = c[2][l] - a[2][0] * b[0][l] - a[2][1] * b[1][l] - a[2][2] * b[2][l] - a[2][3] * b[3][l] - a[2][4] * b[4][l];
    c[3][l] = c[3][l] - a[3][0] * b[0][l] - a[3][1] * b[1][l] - a[3][2] * b[2][l] - a[3][3] * b[3][l] - a[3][4] * b[4][l];
    c[4][l] = c[4][l] - a[4][0] * b[0][l] - a[4][1] * b[1][l] - a[4][2] * b[2][l] - a[4][3] * b[3][l] - a[4][4] * b[4][l];
  }
}

// All of a row, and the entries of it from a column on.
#define ALL(entry) entry(0) entry(1) entry(2) entry(3) entry(4)
#define FROM_1(entry) entry(1) entry(2) entry(3) entry(4)
#define FROM_2(entry) entry(2) entry(3) entry(4)
#define FROM_3(entry) entry(3) entry(4)
#define FROM_4(entry) entry(4)
#define FROM_5(entry)

#define SCALE_B(l) b[ROW][l] *= pivot;
#define SCALE_C(l) c[ROW][l] *= pivot;
#define REDUCE_B(l) b[OTHER][l] -= factor * b[ROW][l];
#define REDUCE_C(l) c[OTHER][l] -= factor * c[ROW][l];
#define SCALE(from) pivot = 1.0 / b[ROW][ROW]; from(SCALE_B) ALL(SCALE_C) r[ROW] *= pivot;
#define REDUCE(from) factor = b[OTHER][ROW]; from(REDUCE_B) ALL(REDUCE_C) r[OTHER] -= factor * r[ROW];

static void binvcrhs(double b[5][5], double c[5][5], double r[5]) {
  double pivot, factor;
#define ROW 0
  SCALE(FROM_1)
#define OTHER 1
  REDUCE(FROM_1)
#undef OTHER
#define OTHER 2
  REDUCE(FROM_1)
#undef OTHER
#define OTHER 3
  REDUCE(FROM_1)
#undef OTHER
#define OTHER 4
  REDUCE(FROM_1)
#undef OTHER
#undef ROW
#define ROW 1
  SCALE(FROM_2)
#define OTHER 0
  REDUCE(FROM_2)
#undef OTHER
#define OTHER 2
  REDUCE(FROM_2)
#undef OTHER
#define OTHER 3
  REDUCE(FROM_2)
#undef OTHER
#define OTHER 4
  REDUCE(FROM_2)
#undef OTHER
#undef ROW
#define ROW 2
  SCALE(FROM_3)
#define OTHER 0
  REDUCE(FROM_3)
#undef OTHER
#define OTHER 1
  REDUCE(FROM_3)
#undef OTHER
#define OTHER 3
  REDUCE(FROM_3)
#undef OTHER
#define OTHER 4
  REDUCE(FROM_3)
#undef OTHER
#undef ROW
#define ROW 3
  SCALE(FROM_4)
#define OTHER 0
  REDUCE(FROM_4)
#undef OTHER
#define OTHER 1
  REDUCE(FROM_4)
#undef OTHER
#define OTHER 2
  REDUCE(FROM_4)
#undef OTHER
#define OTHER 4
  REDUCE(FROM_4)
#undef OTHER
#undef ROW
#define ROW 4
  SCALE(FROM_5)
#define OTHER 0
  REDUCE(FROM_5)
#undef OTHER
#define OTHER 1
  REDUCE(FROM_5)
#undef OTHER
#define OTHER 2
  REDUCE(FROM_5)
#undef OTHER
#define OTHER 3
  REDUCE(FROM_5)
#undef OTHER
#undef ROW
}

static void binvrhs(double b[5][5], double r[5]) {
  for (int p = 0; p < 5; p++) {
    double pivot = 1.0 / b[p][p];
    for (int l = p + 1; l < 5; l++)
      b[p][l] *= pivot;
    r[p] *= pivot;
    for (int q = 0; q < 5; q++)
      if (q != p) {
        double factor = b[q][p];
        for (int l = p + 1; l < 5; l++)
          b[q][l] -= factor * b[p][l];
        r[q] -= factor * r[p];
      }
  }
}

// lhs holds the blocks below the diagonal, on it and above it.
void block_solver(int n, double lhs[n][n][n][3][5][5], double rhs[n][n][n][5]) {
  for (int j = 1; j < n - 1; j++)
    for (int k = 1; k < n - 1; k++)
      binvcrhs(lhs[0][j][k][1], lhs[0][j][k][2], rhs[0][j][k]);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        matvec_sub(lhs[i][j][k][0], rhs[i - 1][j][k], rhs[i][j][k]);
        matmul_sub(lhs[i][j][k][0], lhs[i - 1][j][k][2], lhs[i][j][k][1]);
        binvcrhs(lhs[i][j][k][1], lhs[i][j][k][2], rhs[i][j][k]);
      }
  for (int j = 1; j < n - 1; j++)
    for (int k = 1; k < n - 1; k++) {
      matvec_sub(lhs[n - 1][j][k][0], rhs[n - 2][j][k], rhs[n - 1][j][k]);
      matmul_sub(lhs[n - 1][j][k][0], lhs[n - 2][j][k][2], lhs[n - 1][j][k][1]);
      binvrhs(lhs[n - 1][j][k][1], rhs[n - 1][j][k]);
    }
  for (int i = n - 2; i >= 0; i--)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        for (int m = 0; m < 5; m++)
          for (int l = 0; l < 5; l++)
            rhs[i][j][k][m] -= lhs[i][j][k][2][m][l] * rhs[i + 1][j][k][l];
}
