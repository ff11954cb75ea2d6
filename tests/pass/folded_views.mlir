// OPTIONS: --passes affine-fold-memref-alias-ops,fold-memref-alias-ops
// A view whose subscripts MLIR folds into those of the array.
func.func @folded(%n: index, %A: memref<64x64xf64>, %B: memref<32xf64>) {
  affine.for %i = 0 to %n {
    %row = memref.subview %A[%i, 4] [1, 32] [1, 1] : memref<64x64xf64> to memref<32xf64, strided<[1], offset: ?>>
    affine.for %j = 0 to 32 {
      %x = affine.load %row[%j] : memref<32xf64, strided<[1], offset: ?>>
      affine.store %x, %B[%j] : memref<32xf64>
    }
  }
  return
}
