// jacobi-2d: 2-D Jacobi stencil, five points                                  (PolyBench/C 4.2.1, stencils/jacobi-2d)
//
//   for (t = 0; t < tsteps; t++) {
//     for (i = 1; i < n - 1; i++)
//       for (j = 1; j < n - 1; j++)
//         B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
//     for (i = 1; i < n - 1; i++)
//       for (j = 1; j < n - 1; j++)
//         A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
//   }
func.func @kernel_jacobi_2d(%tsteps: index, %n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  %c0_2 = arith.constant 0.2 : f64
  affine.for %t = 0 to %tsteps {
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %a_1 = affine.load %A[%i, %j - 1] : memref<?x?xf64>
        %sum = arith.addf %a, %a_1 : f64
        %a_2 = affine.load %A[%i, %j + 1] : memref<?x?xf64>
        %sum_1 = arith.addf %sum, %a_2 : f64
        %a_3 = affine.load %A[%i + 1, %j] : memref<?x?xf64>
        %sum_2 = arith.addf %sum_1, %a_3 : f64
        %a_4 = affine.load %A[%i - 1, %j] : memref<?x?xf64>
        %sum_3 = arith.addf %sum_2, %a_4 : f64
        %prod = arith.mulf %c0_2, %sum_3 : f64
        affine.store %prod, %B[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        %b = affine.load %B[%i, %j] : memref<?x?xf64>
        %b_1 = affine.load %B[%i, %j - 1] : memref<?x?xf64>
        %sum = arith.addf %b, %b_1 : f64
        %b_2 = affine.load %B[%i, %j + 1] : memref<?x?xf64>
        %sum_1 = arith.addf %sum, %b_2 : f64
        %b_3 = affine.load %B[%i + 1, %j] : memref<?x?xf64>
        %sum_2 = arith.addf %sum_1, %b_3 : f64
        %b_4 = affine.load %B[%i - 1, %j] : memref<?x?xf64>
        %sum_3 = arith.addf %sum_2, %b_4 : f64
        %prod = arith.mulf %c0_2, %sum_3 : f64
        affine.store %prod, %A[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
