// seidel-2d in tiles of 32, skewed: t, t + i, 2t + i + j                        (PolyBench/C 4.2.1, stencils/seidel-2d)
//
// As Pluto prints it: %i is t + i and %j is 2t + i + j.
func.func @kernel_seidel_2d(%tsteps: index, %n: index, %A: memref<?x?xf64>) {
  %nine = arith.constant 9.0 : f64
  affine.for %tt = 0 to affine_map<()[tsteps] -> (tsteps ceildiv 32)>()[%tsteps] {
    affine.for %it = affine_map<(tt) -> (tt)>(%tt) to min affine_map<(tt)[tsteps, n] -> ((32 * tt + n + 29) floordiv 32 + 1, (tsteps + n - 3) floordiv 32 + 1)>(%tt)[%tsteps, %n] {
      affine.for %jt = max affine_map<(tt, it)[n] -> (tt + it, (64 * it - n - 28) ceildiv 32)>(%tt, %it)[%n] to min affine_map<(tt, it)[tsteps, n] -> ((tsteps + n - 3) floordiv 16 + 1, (32 * tt + n + 29) floordiv 16 + 1, (64 * it + n + 59) floordiv 32 + 1, (32 * tt + 32 * it + n + 60) floordiv 32 + 1, (32 * it + tsteps + n + 28) floordiv 32 + 1)>(%tt, %it)[%tsteps, %n] {
        affine.for %t = max affine_map<(tt, it, jt)[n] -> (32 * tt, 32 * it - n + 2, 16 * jt - n + 2, 32 * jt - 32 * it - n - 29)>(%tt, %it, %jt)[%n] to min affine_map<(tt, it, jt)[tsteps] -> (tsteps, 32 * tt + 32, 32 * it + 31, 16 * jt + 15, 32 * jt - 32 * it + 31)>(%tt, %it, %jt)[%tsteps] {
          affine.for %i = max affine_map<(it, jt, t)[n] -> (32 * it, t + 1, 32 * jt - t - n + 2)>(%it, %jt, %t)[%n] to min affine_map<(it, jt, t)[n] -> (32 * it + 32, t + n - 1, 32 * jt - t + 31)>(%it, %jt, %t)[%n] {
            affine.for %j = max affine_map<(jt, t, i) -> (32 * jt, t + i + 1)>(%jt, %t, %i) to min affine_map<(jt, t, i)[n] -> (32 * jt + 32, t + i + n - 1)>(%jt, %t, %i)[%n] {
              %a = affine.load %A[%i - %t - 1, %j - %i - %t - 1] : memref<?x?xf64>
              %a_1 = affine.load %A[%i - %t - 1, %j - %i - %t] : memref<?x?xf64>
              %sum = arith.addf %a, %a_1 : f64
              %a_2 = affine.load %A[%i - %t - 1, %j - %i - %t + 1] : memref<?x?xf64>
              %sum_1 = arith.addf %sum, %a_2 : f64
              %a_3 = affine.load %A[%i - %t, %j - %i - %t - 1] : memref<?x?xf64>
              %sum_2 = arith.addf %sum_1, %a_3 : f64
              %a_4 = affine.load %A[%i - %t, %j - %i - %t] : memref<?x?xf64>
              %sum_3 = arith.addf %sum_2, %a_4 : f64
              %a_5 = affine.load %A[%i - %t, %j - %i - %t + 1] : memref<?x?xf64>
              %sum_4 = arith.addf %sum_3, %a_5 : f64
              %a_6 = affine.load %A[%i - %t + 1, %j - %i - %t - 1] : memref<?x?xf64>
              %sum_5 = arith.addf %sum_4, %a_6 : f64
              %a_7 = affine.load %A[%i - %t + 1, %j - %i - %t] : memref<?x?xf64>
              %sum_6 = arith.addf %sum_5, %a_7 : f64
              %a_8 = affine.load %A[%i - %t + 1, %j - %i - %t + 1] : memref<?x?xf64>
              %sum_7 = arith.addf %sum_6, %a_8 : f64
              %quot = arith.divf %sum_7, %nine : f64
              affine.store %quot, %A[%i - %t, %j - %i - %t] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
