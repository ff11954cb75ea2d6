// gemm: C := alpha*A*B + beta*C                                         (PolyBench/C 4.2.1, linear-algebra/blas/gemm)
//
//   for (i = 0; i < ni; i++) {
//     for (j = 0; j < nj; j++)
//       C[i][j] *= beta;
//     for (k = 0; k < nk; k++)
//       for (j = 0; j < nj; j++)
//         C[i][j] += alpha * A[i][k] * B[k][j];
//   }
func.func @kernel_gemm(%ni: index, %nj: index, %nk: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64>,
                       %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      %c = affine.load %C[%i, %j] : memref<?x?xf64>
      %prod = arith.mulf %c, %beta : f64
      affine.store %prod, %C[%i, %j] : memref<?x?xf64>
    }
    affine.for %k = 0 to %nk {
      affine.for %j = 0 to %nj {
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %prod = arith.mulf %alpha, %a : f64
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %prod_1 = arith.mulf %prod, %b : f64
        %sum = arith.addf %c, %prod_1 : f64
        affine.store %sum, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
