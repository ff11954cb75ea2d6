// floyd-warshall: shortest paths between all pairs
// (PolyBench/C 4.2.1, medley/floyd-warshall)

#ifndef N
#define N n
#endif

void kernel_floyd_warshall(int n, int path[N][N]) {
  int i, j, k;

  for (k = 0; k < n; k++)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}
