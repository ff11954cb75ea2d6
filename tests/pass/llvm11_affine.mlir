// LLVM 11: no `func.func` and no `arith`; comparisons are strings, `dim` has a number.
func @gemm(%alpha: f32, %C: memref<?x?xf32>, %A: memref<?x?xf32>, %B: memref<?x?xf32>) {
  %ni = dim %C, 0 : memref<?x?xf32>
  %nj = dim %C, 1 : memref<?x?xf32>
  %nk = dim %A, 1 : memref<?x?xf32>
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      affine.for %k = 0 to %nk {
        %a = affine.load %A[%i, %k] : memref<?x?xf32>
        %b = affine.load %B[%k, %j] : memref<?x?xf32>
        %c = affine.load %C[%i, %j] : memref<?x?xf32>
        %0 = mulf %alpha, %a : f32
        %1 = mulf %0, %b : f32
        %2 = addf %c, %1 : f32
        affine.store %2, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
