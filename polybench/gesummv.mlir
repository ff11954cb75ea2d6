// gesummv: y := alpha*A*x + beta*B*x                                 (PolyBench/C 4.2.1, linear-algebra/blas/gesummv)
//
//   for (i = 0; i < n; i++) {
//     tmp[i] = 0.0;
//     y[i] = 0.0;
//     for (j = 0; j < n; j++) {
//       tmp[i] = A[i][j] * x[j] + tmp[i];
//       y[i] = B[i][j] * x[j] + y[i];
//     }
//     y[i] = alpha * tmp[i] + beta * y[i];
//   }
func.func @kernel_gesummv(%n: index, %alpha: f64, %beta: f64, %A: memref<?x?xf64>, %B: memref<?x?xf64>,
                          %tmp: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.store %zero, %tmp[%i] : memref<?xf64>
    affine.store %zero, %y[%i] : memref<?xf64>
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %x_1 = affine.load %x[%j] : memref<?xf64>
      %prod = arith.mulf %a, %x_1 : f64
      %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
      %sum = arith.addf %prod, %tmp_1 : f64
      affine.store %sum, %tmp[%i] : memref<?xf64>
      %b = affine.load %B[%i, %j] : memref<?x?xf64>
      %x_2 = affine.load %x[%j] : memref<?xf64>
      %prod_1 = arith.mulf %b, %x_2 : f64
      %y_1 = affine.load %y[%i] : memref<?xf64>
      %sum_1 = arith.addf %prod_1, %y_1 : f64
      affine.store %sum_1, %y[%i] : memref<?xf64>
    }
    %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
    %prod = arith.mulf %alpha, %tmp_1 : f64
    %y_1 = affine.load %y[%i] : memref<?xf64>
    %prod_1 = arith.mulf %beta, %y_1 : f64
    %sum = arith.addf %prod, %prod_1 : f64
    affine.store %sum, %y[%i] : memref<?xf64>
  }
  return
}
