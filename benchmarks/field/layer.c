// A layer of a transformer: attention of one head and two products with a rectifier between, each with what came in added and
// normalised. n words of d numbers, h numbers inside.

#include <math.h>

static void product(int n, int m, int k, double a[n][k], double b[k][m], double c[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i][j] = 0.0;
      for (int l = 0; l < k; l++)
        c[i][j] += a[i][l] * b[l][j];
    }
}

static void scores(int n, int d, double q[n][d], double k[n][d], double s[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s[i][j] = 0.0;
      for (int l = 0; l < d; l++)
        s[i][j] += q[i][l] * k[j][l];
    }
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      s[i][j] = exp(s[i][j]);
      sum += s[i][j];
    }
    for (int j = 0; j < n; j++)
      s[i][j] /= sum;
  }
}

static void add_and_normalise(int n, int d, double a[n][d], double x[n][d], double y[n][d]) {
  for (int i = 0; i < n; i++) {
    double sum = 0.0, squares = 0.0;
    for (int j = 0; j < d; j++) {
      y[i][j] = a[i][j] + x[i][j];
      sum += y[i][j];
      squares += y[i][j] * y[i][j];
    }
    for (int j = 0; j < d; j++)
      y[i][j] = (y[i][j] - sum / d) / sqrt(squares / d - sum / d * (sum / d) + 1e-5);
  }
}

static void layer(int n, int d, int h, double x[n][d], double wq[d][d], double wk[d][d], double wv[d][d], double wo[d][d],
                  double w1[d][h], double w2[h][d], double q[n][d], double k[n][d], double v[n][d], double s[n][n],
                  double o[n][d], double p[n][d], double r[n][d], double u[n][h], double z[n][d], double y[n][d]) {
  product(n, d, d, x, wq, q);
  product(n, d, d, x, wk, k);
  product(n, d, d, x, wv, v);
  scores(n, d, q, k, s);
  product(n, d, n, s, v, o);
  product(n, d, d, o, wo, p);
  add_and_normalise(n, d, p, x, r);
  product(n, h, d, r, w1, u);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < h; j++)
      u[i][j] = fmax(u[i][j], 0.0);
  product(n, d, h, u, w2, z);
  add_and_normalise(n, d, z, r, y);
}
