// syr2k: C := alpha*A*B' + alpha*B*A' + beta*C, lower triangle         (PolyBench/C 4.2.1, linear-algebra/blas/syr2k)
//
//   for (i = 0; i < n; i++) {
//     for (j = 0; j <= i; j++)
//       C[i][j] *= beta;
//     for (k = 0; k < m; k++)
//       for (j = 0; j <= i; j++)
//         C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
//   }
func.func @kernel_syr2k(%n: index, %m: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64>,
                        %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<?x?xf64>
      %prod = arith.mulf %c, %beta : f64
      affine.store %prod, %C[%i, %j] : memref<?x?xf64>
    }
    affine.for %k = 0 to %m {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %a = affine.load %A[%j, %k] : memref<?x?xf64>
        %prod = arith.mulf %a, %alpha : f64
        %b = affine.load %B[%i, %k] : memref<?x?xf64>
        %prod_1 = arith.mulf %prod, %b : f64
        %b_1 = affine.load %B[%j, %k] : memref<?x?xf64>
        %prod_2 = arith.mulf %b_1, %alpha : f64
        %a_1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %prod_3 = arith.mulf %prod_2, %a_1 : f64
        %sum = arith.addf %prod_1, %prod_3 : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %sum_1 = arith.addf %c, %sum : f64
        affine.store %sum_1, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
