// seidel-2d: 2-D Gauss-Seidel stencil, nine points, in place                  (PolyBench/C 4.2.1, stencils/seidel-2d)
//
//   for (t = 0; t <= tsteps - 1; t++)
//     for (i = 1; i <= n - 2; i++)
//       for (j = 1; j <= n - 2; j++)
//         A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
//                    + A[i][j - 1] + A[i][j] + A[i][j + 1]
//                    + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
func.func @kernel_seidel_2d(%tsteps: index, %n: index, %A: memref<?x?xf64>) {
  %nine = arith.constant 9.0 : f64
  affine.for %t = 0 to %tsteps {
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        %a = affine.load %A[%i - 1, %j - 1] : memref<?x?xf64>
        %a_1 = affine.load %A[%i - 1, %j] : memref<?x?xf64>
        %sum = arith.addf %a, %a_1 : f64
        %a_2 = affine.load %A[%i - 1, %j + 1] : memref<?x?xf64>
        %sum_1 = arith.addf %sum, %a_2 : f64
        %a_3 = affine.load %A[%i, %j - 1] : memref<?x?xf64>
        %sum_2 = arith.addf %sum_1, %a_3 : f64
        %a_4 = affine.load %A[%i, %j] : memref<?x?xf64>
        %sum_3 = arith.addf %sum_2, %a_4 : f64
        %a_5 = affine.load %A[%i, %j + 1] : memref<?x?xf64>
        %sum_4 = arith.addf %sum_3, %a_5 : f64
        %a_6 = affine.load %A[%i + 1, %j - 1] : memref<?x?xf64>
        %sum_5 = arith.addf %sum_4, %a_6 : f64
        %a_7 = affine.load %A[%i + 1, %j] : memref<?x?xf64>
        %sum_6 = arith.addf %sum_5, %a_7 : f64
        %a_8 = affine.load %A[%i + 1, %j + 1] : memref<?x?xf64>
        %sum_7 = arith.addf %sum_6, %a_8 : f64
        %quot = arith.divf %sum_7, %nine : f64
        affine.store %quot, %A[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
