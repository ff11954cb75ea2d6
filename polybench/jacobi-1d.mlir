// jacobi-1d: 1-D Jacobi stencil, three points                                 (PolyBench/C 4.2.1, stencils/jacobi-1d)
//
//   for (t = 0; t < tsteps; t++) {
//     for (i = 1; i < n - 1; i++)
//       B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
//     for (i = 1; i < n - 1; i++)
//       A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
//   }
func.func @kernel_jacobi_1d(%tsteps: index, %n: index, %A: memref<?xf64>, %B: memref<?xf64>) {
  %c0_33333 = arith.constant 0.33333 : f64
  affine.for %t = 0 to %tsteps {
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
      %a = affine.load %A[%i - 1] : memref<?xf64>
      %a_1 = affine.load %A[%i] : memref<?xf64>
      %sum = arith.addf %a, %a_1 : f64
      %a_2 = affine.load %A[%i + 1] : memref<?xf64>
      %sum_1 = arith.addf %sum, %a_2 : f64
      %prod = arith.mulf %c0_33333, %sum_1 : f64
      affine.store %prod, %B[%i] : memref<?xf64>
    }
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
      %b = affine.load %B[%i - 1] : memref<?xf64>
      %b_1 = affine.load %B[%i] : memref<?xf64>
      %sum = arith.addf %b, %b_1 : f64
      %b_2 = affine.load %B[%i + 1] : memref<?xf64>
      %sum_1 = arith.addf %sum, %b_2 : f64
      %prod = arith.mulf %c0_33333, %sum_1 : f64
      affine.store %prod, %A[%i] : memref<?xf64>
    }
  }
  return
}
