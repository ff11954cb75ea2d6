// Trailing extents of 1 are no rows: neighbours lie along the last extent that is larger.
func.func @units(%A: memref<?x?x1xf32>, %B: memref<1x?xf32>, %C: memref<6x1x1xf32>, %D: memref<1x1xf32>,
    %E: memref<5x3x4xf32>, %m: index, %n: index) {
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
  // An extent that turns out to be 1 is kept; the last one, which is written as 1, is left out.
  %c1 = arith.constant 1 : index
  %column = memref.subview %E[4, 0, 2] [%c1, 3, 1] [1, 1, 1] : memref<5x3x4xf32> to memref<?x3xf32, strided<[12, 4], offset: 50>>
  affine.for %i = 0 to 3 {
    %e = affine.load %column[0, %i] : memref<?x3xf32, strided<[12, 4], offset: 50>>
  }
  return
}
