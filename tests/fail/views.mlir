func.func @f(%n: index, %flag: i1, %A: memref<64x64xf64>, %B: memref<64xf64>) {
  affine.for %i = 0 to %n {
    %row = memref.subview %A[%i, 0] [1, 64] [1, 1] : memref<64x64xf64> to memref<64xf64, strided<[1], offset: ?>>
    %y = affine.load %row[0] : memref<64xf64, strided<[1], offset: ?>>
    affine.store %y, %row[%i] : memref<64xf64, strided<[1], offset: ?>>
    %flat = memref.collapse_shape %A [[0, 1]] : memref<64x64xf64> into memref<4096xf64>
    %x = affine.load %flat[%i] : memref<4096xf64>
    %chosen = arith.select %flag, %B, %B : memref<64xf64>
    affine.store %x, %chosen[%i] : memref<64xf64>
  }
  memref.copy %B, %B : memref<64xf64> to memref<64xf64>
  return
}
