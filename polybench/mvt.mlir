// mvt: x1 := x1 + A*y_1, x2 := x2 + A'*y_2                            (PolyBench/C 4.2.1, linear-algebra/kernels/mvt)
//
//   for (i = 0; i < n; i++)
//     for (j = 0; j < n; j++)
//       x1[i] = x1[i] + A[i][j] * y_1[j];
//   for (i = 0; i < n; i++)
//     for (j = 0; j < n; j++)
//       x2[i] = x2[i] + A[j][i] * y_2[j];
func.func @kernel_mvt(%n: index, %x1: memref<?xf64>, %x2: memref<?xf64>, %y_1: memref<?xf64>,
                      %y_2: memref<?xf64>, %A: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x1_1 = affine.load %x1[%i] : memref<?xf64>
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %y_1_1 = affine.load %y_1[%j] : memref<?xf64>
      %prod = arith.mulf %a, %y_1_1 : f64
      %sum = arith.addf %x1_1, %prod : f64
      affine.store %sum, %x1[%i] : memref<?xf64>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x2_1 = affine.load %x2[%i] : memref<?xf64>
      %a = affine.load %A[%j, %i] : memref<?x?xf64>
      %y_2_1 = affine.load %y_2[%j] : memref<?xf64>
      %prod = arith.mulf %a, %y_2_1 : f64
      %sum = arith.addf %x2_1, %prod : f64
      affine.store %sum, %x2[%i] : memref<?xf64>
    }
  }
  return
}
