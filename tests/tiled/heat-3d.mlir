// heat-3d in tiles of 32, skewed: t, 2t + i, 2t + j, 2t + k                       (PolyBench/C 4.2.1, stencils/heat-3d)
//
// %i, %j and %k are 2t + i, 2t + j and 2t + k where B is written, and one more where A is.
func.func @kernel_heat_3d(%tsteps: index, %n: index, %A: memref<?x?x?xf64>, %B: memref<?x?x?xf64>) {
  %c0_125 = arith.constant 0.125 : f64
  %two = arith.constant 2.0 : f64
  affine.for %tt = 0 to affine_map<()[tsteps] -> ((tsteps + 1) ceildiv 32)>()[%tsteps] {
    affine.for %it = affine_map<(tt) -> (2 * tt)>(%tt) to min affine_map<(tt)[tsteps, n] -> ((64 * tt + n + 61) floordiv 32 + 1, (2 * tsteps + n - 1) floordiv 32 + 1)>(%tt)[%tsteps, %n] {
      affine.for %jt = max affine_map<(tt, it)[n] -> (2 * tt, (32 * it - n - 29) ceildiv 32)>(%tt, %it)[%n] to min affine_map<(tt, it)[tsteps, n] -> ((64 * tt + n + 61) floordiv 32 + 1, (2 * tsteps + n - 1) floordiv 32 + 1, (32 * it + n + 29) floordiv 32 + 1)>(%tt, %it)[%tsteps, %n] {
        affine.for %kt = max affine_map<(tt, it, jt)[n] -> (2 * tt, (32 * it - n - 29) ceildiv 32, (32 * jt - n - 29) ceildiv 32)>(%tt, %it, %jt)[%n] to min affine_map<(tt, it, jt)[tsteps, n] -> ((64 * tt + n + 61) floordiv 32 + 1, (2 * tsteps + n - 1) floordiv 32 + 1, (32 * it + n + 29) floordiv 32 + 1, (32 * jt + n + 29) floordiv 32 + 1)>(%tt, %it, %jt)[%tsteps, %n] {
          affine.for %t = max affine_map<(tt, it, jt, kt)[n] -> (1, 32 * tt, (32 * it - n + 1) ceildiv 2, (32 * jt - n + 1) ceildiv 2, (32 * kt - n + 1) ceildiv 2)>(%tt, %it, %jt, %kt)[%n] to min affine_map<(tt, it, jt, kt)[tsteps] -> (tsteps + 1, 32 * tt + 32, 16 * it + 16, 16 * jt + 16, 16 * kt + 16)>(%tt, %it, %jt, %kt)[%tsteps] {
            affine.for %i = max affine_map<(it, t) -> (32 * it, 2 * t + 1)>(%it, %t) to min affine_map<(it, t)[n] -> (32 * it + 32, 2 * t + n - 1)>(%it, %t)[%n] {
              affine.for %j = max affine_map<(jt, t) -> (32 * jt, 2 * t + 1)>(%jt, %t) to min affine_map<(jt, t)[n] -> (32 * jt + 32, 2 * t + n - 1)>(%jt, %t)[%n] {
                affine.for %k = max affine_map<(kt, t) -> (32 * kt, 2 * t + 1)>(%kt, %t) to min affine_map<(kt, t)[n] -> (32 * kt + 32, 2 * t + n - 1)>(%kt, %t)[%n] {
                  %a = affine.load %A[%i - 2 * %t + 1, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                  %a_1 = affine.load %A[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                  %prod = arith.mulf %two, %a_1 : f64
                  %diff = arith.subf %a, %prod : f64
                  %a_2 = affine.load %A[%i - 2 * %t - 1, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                  %sum = arith.addf %diff, %a_2 : f64
                  %prod_1 = arith.mulf %c0_125, %sum : f64
                  %a_3 = affine.load %A[%i - 2 * %t, %j - 2 * %t + 1, %k - 2 * %t] : memref<?x?x?xf64>
                  %a_4 = affine.load %A[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                  %prod_2 = arith.mulf %two, %a_4 : f64
                  %diff_1 = arith.subf %a_3, %prod_2 : f64
                  %a_5 = affine.load %A[%i - 2 * %t, %j - 2 * %t - 1, %k - 2 * %t] : memref<?x?x?xf64>
                  %sum_1 = arith.addf %diff_1, %a_5 : f64
                  %prod_3 = arith.mulf %c0_125, %sum_1 : f64
                  %sum_2 = arith.addf %prod_1, %prod_3 : f64
                  %a_6 = affine.load %A[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t + 1] : memref<?x?x?xf64>
                  %a_7 = affine.load %A[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                  %prod_4 = arith.mulf %two, %a_7 : f64
                  %diff_2 = arith.subf %a_6, %prod_4 : f64
                  %a_8 = affine.load %A[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %sum_3 = arith.addf %diff_2, %a_8 : f64
                  %prod_5 = arith.mulf %c0_125, %sum_3 : f64
                  %sum_4 = arith.addf %sum_2, %prod_5 : f64
                  %a_9 = affine.load %A[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                  %sum_5 = arith.addf %sum_4, %a_9 : f64
                  affine.store %sum_5, %B[%i - 2 * %t, %j - 2 * %t, %k - 2 * %t] : memref<?x?x?xf64>
                }
              }
            }
            affine.for %i = max affine_map<(it, t) -> (32 * it, 2 * t + 2)>(%it, %t) to min affine_map<(it, t)[n] -> (32 * it + 32, 2 * t + n)>(%it, %t)[%n] {
              affine.for %j = max affine_map<(jt, t) -> (32 * jt, 2 * t + 2)>(%jt, %t) to min affine_map<(jt, t)[n] -> (32 * jt + 32, 2 * t + n)>(%jt, %t)[%n] {
                affine.for %k = max affine_map<(kt, t) -> (32 * kt, 2 * t + 2)>(%kt, %t) to min affine_map<(kt, t)[n] -> (32 * kt + 32, 2 * t + n)>(%kt, %t)[%n] {
                  %b = affine.load %B[%i - 2 * %t, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %b_1 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %prod = arith.mulf %two, %b_1 : f64
                  %diff = arith.subf %b, %prod : f64
                  %b_2 = affine.load %B[%i - 2 * %t - 2, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %sum = arith.addf %diff, %b_2 : f64
                  %prod_1 = arith.mulf %c0_125, %sum : f64
                  %b_3 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %b_4 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %prod_2 = arith.mulf %two, %b_4 : f64
                  %diff_1 = arith.subf %b_3, %prod_2 : f64
                  %b_5 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 2, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %sum_1 = arith.addf %diff_1, %b_5 : f64
                  %prod_3 = arith.mulf %c0_125, %sum_1 : f64
                  %sum_2 = arith.addf %prod_1, %prod_3 : f64
                  %b_6 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t] : memref<?x?x?xf64>
                  %b_7 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %prod_4 = arith.mulf %two, %b_7 : f64
                  %diff_2 = arith.subf %b_6, %prod_4 : f64
                  %b_8 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t - 2] : memref<?x?x?xf64>
                  %sum_3 = arith.addf %diff_2, %b_8 : f64
                  %prod_5 = arith.mulf %c0_125, %sum_3 : f64
                  %sum_4 = arith.addf %sum_2, %prod_5 : f64
                  %b_9 = affine.load %B[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                  %sum_5 = arith.addf %sum_4, %b_9 : f64
                  affine.store %sum_5, %A[%i - 2 * %t - 1, %j - 2 * %t - 1, %k - 2 * %t - 1] : memref<?x?x?xf64>
                }
              }
            }
          }
        }
      }
    }
  }
  return
}
