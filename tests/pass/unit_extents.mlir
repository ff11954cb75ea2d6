// Trailing extents of 1 are no rows: neighbours lie along the last extent that is larger.
func.func @units(%A: memref<?x?x1xf32>, %B: memref<1x?xf32>, %C: memref<6x1x1xf32>, %D: memref<1x1xf32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j, 0] : memref<?x?x1xf32>
      %b = affine.load %B[0, %j] : memref<1x?xf32>
    }
  }
  affine.for %i = 0 to 6 {
    %c = affine.load %C[%i, 0, 0] : memref<6x1x1xf32>
    %d = affine.load %D[0, 0] : memref<1x1xf32>
  }
  return
}
