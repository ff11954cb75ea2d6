// matmul: the example of Tables 1 and 3 of Zhu, Pan, Ding, Wu, "Fully Symbolic Analysis of Loop Locality"
//
//   for (i = 0; i < n; i++)
//     for (j = 0; j < n; j++)
//       for (k = 0; k < n; k++)
//         C[i][j] = A[i][k] * B[k][j] + C[i][j];
//
// The order of accesses is that of the tables: A, B, C, C.
func.func @kernel_matmul(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %prod, %c : f64
        affine.store %sum, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
