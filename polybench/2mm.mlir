// 2mm: D := alpha*A*B*C + beta*D                                      (PolyBench/C 4.2.1, linear-algebra/kernels/2mm)
//
//   for (i = 0; i < ni; i++)
//     for (j = 0; j < nj; j++) {
//       tmp[i][j] = 0.0;
//       for (k = 0; k < nk; ++k)
//         tmp[i][j] += alpha * A[i][k] * B[k][j];
//     }
//   for (i = 0; i < ni; i++)
//     for (j = 0; j < nl; j++) {
//       D[i][j] *= beta;
//       for (k = 0; k < nj; ++k)
//         D[i][j] += tmp[i][k] * C[k][j];
//     }
func.func @kernel_2mm(%ni: index, %nj: index, %nk: index, %nl: index, %alpha: f64, %beta: f64,
                      %tmp: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>,
                      %D: memref<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      affine.store %zero, %tmp[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nk {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %prod = arith.mulf %alpha, %a : f64
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %prod_1 = arith.mulf %prod, %b : f64
        %tmp_1 = affine.load %tmp[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %tmp_1, %prod_1 : f64
        affine.store %sum, %tmp[%i, %j] : memref<?x?xf64>
      }
    }
  }
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nl {
      %d = affine.load %D[%i, %j] : memref<?x?xf64>
      %prod = arith.mulf %d, %beta : f64
      affine.store %prod, %D[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nj {
        %tmp_1 = affine.load %tmp[%i, %k] : memref<?x?xf64>
        %c = affine.load %C[%k, %j] : memref<?x?xf64>
        %prod_1 = arith.mulf %tmp_1, %c : f64
        %d_1 = affine.load %D[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %d_1, %prod_1 : f64
        affine.store %sum, %D[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
