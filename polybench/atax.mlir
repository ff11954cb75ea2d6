// atax: y := A'*(A*x)                                                (PolyBench/C 4.2.1, linear-algebra/kernels/atax)
//
//   for (i = 0; i < n; i++)
//     y[i] = 0;
//   for (i = 0; i < m; i++) {
//     tmp[i] = 0.0;
//     for (j = 0; j < n; j++)
//       tmp[i] = tmp[i] + A[i][j] * x[j];
//     for (j = 0; j < n; j++)
//       y[j] = y[j] + A[i][j] * tmp[i];
//   }
func.func @kernel_atax(%m: index, %n: index, %A: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>,
                       %tmp: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.store %zero, %y[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %m {
    affine.store %zero, %tmp[%i] : memref<?xf64>
    affine.for %j = 0 to %n {
      %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %x_1 = affine.load %x[%j] : memref<?xf64>
      %prod = arith.mulf %a, %x_1 : f64
      %sum = arith.addf %tmp_1, %prod : f64
      affine.store %sum, %tmp[%i] : memref<?xf64>
    }
    affine.for %j = 0 to %n {
      %y_1 = affine.load %y[%j] : memref<?xf64>
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
      %prod = arith.mulf %a, %tmp_1 : f64
      %sum = arith.addf %y_1, %prod : f64
      affine.store %sum, %y[%j] : memref<?xf64>
    }
  }
  return
}
