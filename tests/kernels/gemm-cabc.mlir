// Matrix multiplication as haystack, cachegrind and others measure it: the accesses are C, A, B, C in every iteration.
//
//   for (i = 0; i < n; i++)
//     for (j = 0; j < n; j++)
//       for (k = 0; k < n; k++)
//         C[i][j] += A[i][k] * B[k][j];
func.func @gemm(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %product = arith.mulf %a, %b : f64
        %sum = arith.addf %c, %product : f64
        affine.store %sum, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
