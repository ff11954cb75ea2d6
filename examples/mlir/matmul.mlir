// The inner loop walks through a column of %B.
func.func @matmul(%A: memref<200x200xf64>, %B: memref<200x200xf64>, %C: memref<200x200xf64>) {
  affine.for %i = 0 to 200 {
    affine.for %j = 0 to 200 {
      affine.for %k = 0 to 200 {
        %a = affine.load %A[%i, %k] : memref<200x200xf64>
        %b = affine.load %B[%k, %j] : memref<200x200xf64>
        %c = affine.load %C[%i, %j] : memref<200x200xf64>
        %p = arith.mulf %a, %b : f64
        %s = arith.addf %c, %p : f64
        affine.store %s, %C[%i, %j] : memref<200x200xf64>
      }
    }
  }
  return
}
