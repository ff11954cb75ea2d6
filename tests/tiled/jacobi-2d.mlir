// jacobi-2d in tiles of 32, skewed: t, 2t + i, 2t + j                           (PolyBench/C 4.2.1, stencils/jacobi-2d)
//
// %i and %j are 2t + i and 2t + j where B is written, and one more where A is.
func.func @kernel_jacobi_2d(%tsteps: index, %n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  %c0_2 = arith.constant 0.2 : f64
  affine.for %tt = 0 to affine_map<()[tsteps] -> (tsteps ceildiv 32)>()[%tsteps] {
    affine.for %it = affine_map<(tt) -> (2 * tt)>(%tt) to min affine_map<(tt)[tsteps, n] -> ((64 * tt + n + 61) floordiv 32 + 1, (2 * tsteps + n - 3) floordiv 32 + 1)>(%tt)[%tsteps, %n] {
      affine.for %jt = max affine_map<(tt, it)[n] -> (2 * tt, (32 * it - n - 29) ceildiv 32)>(%tt, %it)[%n] to min affine_map<(tt, it)[tsteps, n] -> ((64 * tt + n + 61) floordiv 32 + 1, (2 * tsteps + n - 3) floordiv 32 + 1, (32 * it + n + 29) floordiv 32 + 1)>(%tt, %it)[%tsteps, %n] {
        affine.for %t = max affine_map<(tt, it, jt)[n] -> (32 * tt, (32 * it - n + 1) ceildiv 2, (32 * jt - n + 1) ceildiv 2)>(%tt, %it, %jt)[%n] to min affine_map<(tt, it, jt)[tsteps] -> (tsteps, 32 * tt + 32, 16 * it + 16, 16 * jt + 16)>(%tt, %it, %jt)[%tsteps] {
          affine.for %i = max affine_map<(it, t) -> (32 * it, 2 * t + 1)>(%it, %t) to min affine_map<(it, t)[n] -> (32 * it + 32, 2 * t + n - 1)>(%it, %t)[%n] {
            affine.for %j = max affine_map<(jt, t) -> (32 * jt, 2 * t + 1)>(%jt, %t) to min affine_map<(jt, t)[n] -> (32 * jt + 32, 2 * t + n - 1)>(%jt, %t)[%n] {
              %a = affine.load %A[%i - 2 * %t, %j - 2 * %t] : memref<?x?xf64>
              %a_1 = affine.load %A[%i - 2 * %t, %j - 2 * %t - 1] : memref<?x?xf64>
              %sum = arith.addf %a, %a_1 : f64
              %a_2 = affine.load %A[%i - 2 * %t, %j - 2 * %t + 1] : memref<?x?xf64>
              %sum_1 = arith.addf %sum, %a_2 : f64
              %a_3 = affine.load %A[%i - 2 * %t + 1, %j - 2 * %t] : memref<?x?xf64>
              %sum_2 = arith.addf %sum_1, %a_3 : f64
              %a_4 = affine.load %A[%i - 2 * %t - 1, %j - 2 * %t] : memref<?x?xf64>
              %sum_3 = arith.addf %sum_2, %a_4 : f64
              %prod = arith.mulf %c0_2, %sum_3 : f64
              affine.store %prod, %B[%i - 2 * %t, %j - 2 * %t] : memref<?x?xf64>
            }
          }
          affine.for %i = max affine_map<(it, t) -> (32 * it, 2 * t + 2)>(%it, %t) to min affine_map<(it, t)[n] -> (32 * it + 32, 2 * t + n)>(%it, %t)[%n] {
            affine.for %j = max affine_map<(jt, t) -> (32 * jt, 2 * t + 2)>(%jt, %t) to min affine_map<(jt, t)[n] -> (32 * jt + 32, 2 * t + n)>(%jt, %t)[%n] {
              %b = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1] : memref<?x?xf64>
              %b_1 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 2] : memref<?x?xf64>
              %sum = arith.addf %b, %b_1 : f64
              %b_2 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t] : memref<?x?xf64>
              %sum_1 = arith.addf %sum, %b_2 : f64
              %b_3 = affine.load %B[%i - 2 * %t, %j - 2 * %t - 1] : memref<?x?xf64>
              %sum_2 = arith.addf %sum_1, %b_3 : f64
              %b_4 = affine.load %B[%i - 2 * %t - 2, %j - 2 * %t - 1] : memref<?x?xf64>
              %sum_3 = arith.addf %sum_2, %b_4 : f64
              %prod = arith.mulf %c0_2, %sum_3 : f64
              affine.store %prod, %A[%i - 2 * %t - 1, %j - 2 * %t - 1] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
