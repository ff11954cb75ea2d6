// floyd-warshall: shortest paths between all pairs                         (PolyBench/C 4.2.1, medley/floyd-warshall)
//
//   for (k = 0; k < n; k++)
//     for (i = 0; i < n; i++)
//       for (j = 0; j < n; j++)
//         path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
//
// Each operand is loaded once: the arms of `?:` use the values that its condition has loaded.
func.func @kernel_floyd_warshall(%n: index, %path: memref<?x?xi32>) {
  affine.for %k = 0 to %n {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %path_1 = affine.load %path[%i, %j] : memref<?x?xi32>
        %path_2 = affine.load %path[%i, %k] : memref<?x?xi32>
        %path_3 = affine.load %path[%k, %j] : memref<?x?xi32>
        %sum = arith.addi %path_2, %path_3 : i32
        %shorter = arith.minsi %path_1, %sum : i32
        affine.store %shorter, %path[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}
