// jacobi-1d skewed by time, in tiles of 32 × 32, as Pluto prints it.
// Quotients rounded down and up, of divisors that are powers of two.
#define floord(x, y) ((x) >> __builtin_ctz(y))
#define ceild(x, y) floord((x) + (y) - 1, y)
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))

void jacobi_1d_tiled(int T, int N, double A[N], double B[N]) {
  for (int t1 = 0; t1 <= floord(T - 1, 32); t1++)
    for (int t2 = 2 * t1; t2 <= min(floord(2 * T + N - 3, 32), floord(64 * t1 + N + 61, 32)); t2++)
      for (int t3 = max(32 * t1, ceild(32 * t2 - N + 1, 2)); t3 <= min(min(T - 1, 32 * t1 + 31), 16 * t2 + 15); t3++) {
        if (2 * t3 + 1 >= 32 * t2)
          B[1] = 0.33333 * (A[0] + A[1] + A[2]);
        for (int t4 = max(32 * t2, 2 * t3 + 2); t4 <= min(32 * t2 + 31, 2 * t3 + N - 2); t4++) {
          B[-2 * t3 + t4] = 0.33333 * (A[-2 * t3 + t4 - 1] + A[-2 * t3 + t4] + A[-2 * t3 + t4 + 1]);
          A[-2 * t3 + t4 - 1] = 0.33333 * (B[-2 * t3 + t4 - 2] + B[-2 * t3 + t4 - 1] + B[-2 * t3 + t4]);
        }
        if (2 * t3 + N - 1 <= 32 * t2 + 31)
          A[N - 2] = 0.33333 * (B[N - 3] + B[N - 2] + B[N - 1]);
      }
}
