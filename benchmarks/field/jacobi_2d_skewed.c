// jacobi-2d skewed by time so that all loops can be tiled, its two statements fused, as Pluto prints it without tiles.
void jacobi_2d_skewed(int T, int N, double A[N][N], double B[N][N]) {
  for (int t1 = 0; t1 <= T - 1; t1++)
    for (int t2 = 2 * t1 + 1; t2 <= 2 * t1 + N - 1; t2++)
      for (int t3 = 2 * t1 + 1; t3 <= 2 * t1 + N - 1; t3++) {
        if (t2 <= 2 * t1 + N - 2 && t3 <= 2 * t1 + N - 2)
          B[-2 * t1 + t2][-2 * t1 + t3] =
              0.2 * (A[-2 * t1 + t2][-2 * t1 + t3] + A[-2 * t1 + t2][-2 * t1 + t3 - 1] + A[-2 * t1 + t2][-2 * t1 + t3 + 1]
                     + A[-2 * t1 + t2 + 1][-2 * t1 + t3] + A[-2 * t1 + t2 - 1][-2 * t1 + t3]);
        if (t2 >= 2 * t1 + 2 && t3 >= 2 * t1 + 2)
          A[-2 * t1 + t2 - 1][-2 * t1 + t3 - 1] =
              0.2 * (B[-2 * t1 + t2 - 1][-2 * t1 + t3 - 1] + B[-2 * t1 + t2 - 1][-2 * t1 + t3 - 2]
                     + B[-2 * t1 + t2 - 1][-2 * t1 + t3] + B[-2 * t1 + t2][-2 * t1 + t3 - 1]
                     + B[-2 * t1 + t2 - 2][-2 * t1 + t3 - 1]);
      }
}
