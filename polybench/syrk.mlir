// syrk: C := alpha*A*A' + beta*C, lower triangle                        (PolyBench/C 4.2.1, linear-algebra/blas/syrk)
//
//   for (i = 0; i < n; i++) {
//     for (j = 0; j <= i; j++)
//       C[i][j] *= beta;
//     for (k = 0; k < m; k++)
//       for (j = 0; j <= i; j++)
//         C[i][j] += alpha * A[i][k] * A[j][k];
//   }
func.func @kernel_syrk(%n: index, %m: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64>,
                       %A: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<?x?xf64>
      %prod = arith.mulf %c, %beta : f64
      affine.store %prod, %C[%i, %j] : memref<?x?xf64>
    }
    affine.for %k = 0 to %m {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %prod = arith.mulf %alpha, %a : f64
        %a_1 = affine.load %A[%j, %k] : memref<?x?xf64>
        %prod_1 = arith.mulf %prod, %a_1 : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %c, %prod_1 : f64
        affine.store %sum, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
