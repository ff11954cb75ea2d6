// trmm: B := alpha*A'*B, A lower triangular with unit diagonal          (PolyBench/C 4.2.1, linear-algebra/blas/trmm)
//
//   for (i = 0; i < m; i++)
//     for (j = 0; j < n; j++) {
//       for (k = i + 1; k < m; k++)
//         B[i][j] += A[k][i] * B[k][j];
//       B[i][j] = alpha * B[i][j];
//     }
func.func @kernel_trmm(%m: index, %n: index, %alpha: f64, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = affine_map<(i) -> (i + 1)>(%i) to %m {
        %a = affine.load %A[%k, %i] : memref<?x?xf64>
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a, %b : f64
        %b_1 = affine.load %B[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %b_1, %prod : f64
        affine.store %sum, %B[%i, %j] : memref<?x?xf64>
      }
      %b = affine.load %B[%i, %j] : memref<?x?xf64>
      %prod = arith.mulf %alpha, %b : f64
      affine.store %prod, %B[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
