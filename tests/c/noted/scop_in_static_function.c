// The function with the pragmas is read: not `prepare`, and not `main`, which calls both.
static void prepare(int n, double a[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i + j;
}

static double trace(int n, double a[n][n]) {
  double s = 0.0;
#pragma scop
  for (int i = 0; i < n; i++)
    s += a[i][i];
#pragma endscop
  return s;
}

int main(void) {
  static double a[50][50];
  prepare(50, a);
  return trace(50, a) > 0.0;
}
