// lu without pivoting, in tiles of 32 × 32 × 32, as Pluto prints it.
// Quotients rounded down and up, of divisors that are powers of two.
#define floord(x, y) ((x) >> __builtin_ctz(y))
#define ceild(x, y) floord((x) + (y) - 1, y)
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))

#define S1(k, j) a[k][j] = a[k][j] / a[k][k]
#define S2(k, j, i) a[i][j] = a[i][j] - a[i][k] * a[k][j]

void lu_tiled(int n, double a[n][n]) {
  for (int t1 = 0; t1 <= floord(n - 1, 32); t1++)
    for (int t2 = t1; t2 <= floord(n - 1, 32); t2++)
      for (int t3 = t1; t3 <= floord(n - 1, 32); t3++) {
        if ((t1 == t2) && (t1 == t3))
          for (int t4 = 32 * t1; t4 <= min(n - 2, 32 * t1 + 30); t4++)
            for (int t5 = t4 + 1; t5 <= min(n - 1, 32 * t1 + 31); t5++) {
              S1(t4, t5);
              for (int t6 = t4 + 1; t6 <= min(n - 1, 32 * t1 + 31); t6++)
                S2(t4, t5, t6);
            }
        if ((t1 == t2) && (t1 <= t3 - 1))
          for (int t4 = 32 * t1; t4 <= min(n - 2, 32 * t1 + 30); t4++)
            for (int t5 = t4 + 1; t5 <= min(n - 1, 32 * t1 + 31); t5++)
              for (int t6 = 32 * t3; t6 <= min(n - 1, 32 * t3 + 31); t6++)
                S2(t4, t5, t6);
        if ((t1 == t3) && (t1 <= t2 - 1))
          for (int t4 = 32 * t1; t4 <= min(n - 2, 32 * t1 + 31); t4++)
            for (int t5 = 32 * t2; t5 <= min(n - 1, 32 * t2 + 31); t5++) {
              S1(t4, t5);
              for (int t6 = t4 + 1; t6 <= min(n - 1, 32 * t1 + 31); t6++)
                S2(t4, t5, t6);
            }
        if ((t1 <= t2 - 1) && (t1 <= t3 - 1))
          for (int t4 = 32 * t1; t4 <= min(n - 2, 32 * t1 + 31); t4++)
            for (int t5 = 32 * t2; t5 <= min(n - 1, 32 * t2 + 31); t5++)
              for (int t6 = 32 * t3; t6 <= min(n - 1, 32 * t3 + 31); t6++)
                S2(t4, t5, t6);
      }
}
