// A product in tiles of three sizes, with a matrix of each shape.
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void three(int n, int m, int k, int Ti, int Tj, int Tk, double A[n][k], double B[k][m], double C[n][m]) {
  for (int ii = 0; ii < n; ii += Ti)
    for (int jj = 0; jj < m; jj += Tj)
      for (int ll = 0; ll < k; ll += Tk)
        for (int i = ii; i < MIN(ii + Ti, n); i++)
          for (int j = jj; j < MIN(jj + Tj, m); j++)
            for (int l = ll; l < MIN(ll + Tk, k); l++)
              C[i][j] += A[i][l] * B[l][j];
}
