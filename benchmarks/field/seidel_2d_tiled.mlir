// seidel-2d skewed by time, in tiles of 32 × 32 × 32, as Pluto prints it; in MLIR, because Clang makes more cases of the nested
// minima in C than the front end follows.
func.func @seidel_2d_tiled(%T: index, %N: index, %A: memref<?x?xf64>) {
  affine.for %t1 = 0 to min affine_map<()[T, N] -> ((T - 1) floordiv 32 + 1)>()[%T, %N] {
    affine.for %t2 = affine_map<(t1) -> (t1)>(%t1)
        to min affine_map<(t1)[T, N] -> ((T + N - 3) floordiv 32 + 1, (32 * t1 + N + 29) floordiv 32 + 1)>(%t1)[%T, %N] {
      affine.for %t3 = max affine_map<(t1, t2)[T, N] -> ((64 * t2 - N - 28) ceildiv 32, t1 + t2)>(%t1, %t2)[%T, %N]
          to min affine_map<(t1, t2)[T, N] -> ((T + N - 3) floordiv 16 + 1, (32 * t1 + N + 29) floordiv 16 + 1,
               (64 * t2 + N + 59) floordiv 32 + 1, (32 * t1 + 32 * t2 + N + 60) floordiv 32 + 1,
               (32 * t2 + T + N + 28) floordiv 32 + 1)>(%t1, %t2)[%T, %N] {
        affine.for %t4 = max affine_map<(t1, t2, t3)[T, N] -> (32 * t1, 32 * t2 - N + 2, 16 * t3 - N + 2,
                 -32 * t2 + 32 * t3 - N - 29)>(%t1, %t2, %t3)[%T, %N]
            to min affine_map<(t1, t2, t3)[T, N] -> (T, 32 * t1 + 32, 32 * t2 + 31, 16 * t3 + 15,
                 -32 * t2 + 32 * t3 + 31)>(%t1, %t2, %t3)[%T, %N] {
          affine.for %t5 = max affine_map<(t2, t3, t4)[N] -> (32 * t2, t4 + 1, 32 * t3 - t4 - N + 2)>(%t2, %t3, %t4)[%N]
              to min affine_map<(t2, t3, t4)[N] -> (32 * t2 + 32, t4 + N - 1, 32 * t3 - t4 + 31)>(%t2, %t3, %t4)[%N] {
            affine.for %t6 = max affine_map<(t3, t4, t5) -> (32 * t3, t4 + t5 + 1)>(%t3, %t4, %t5)
                to min affine_map<(t3, t4, t5)[N] -> (32 * t3 + 32, t4 + t5 + N - 1)>(%t3, %t4, %t5)[%N] {
              %a = affine.load %A[-%t4 + %t5 - 1, -%t4 - %t5 + %t6 - 1] : memref<?x?xf64>
              %b = affine.load %A[-%t4 + %t5 - 1, -%t4 - %t5 + %t6] : memref<?x?xf64>
              %c = affine.load %A[-%t4 + %t5 - 1, -%t4 - %t5 + %t6 + 1] : memref<?x?xf64>
              %d = affine.load %A[-%t4 + %t5, -%t4 - %t5 + %t6 - 1] : memref<?x?xf64>
              %e = affine.load %A[-%t4 + %t5, -%t4 - %t5 + %t6] : memref<?x?xf64>
              %f = affine.load %A[-%t4 + %t5, -%t4 - %t5 + %t6 + 1] : memref<?x?xf64>
              %g = affine.load %A[-%t4 + %t5 + 1, -%t4 - %t5 + %t6 - 1] : memref<?x?xf64>
              %h = affine.load %A[-%t4 + %t5 + 1, -%t4 - %t5 + %t6] : memref<?x?xf64>
              %i = affine.load %A[-%t4 + %t5 + 1, -%t4 - %t5 + %t6 + 1] : memref<?x?xf64>
              affine.store %i, %A[-%t4 + %t5, -%t4 - %t5 + %t6] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
