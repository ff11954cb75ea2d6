// 64 columns of 64 elements, walked along each column: in memory they lie one behind the other.
func.func @columns(%A: memref<64x64xf32, strided<[1, 64]>>) {
  affine.for %j = 0 to 64 {
    affine.for %i = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32, strided<[1, 64]>>
    }
  }
  return
}
