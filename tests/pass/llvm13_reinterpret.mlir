// LLVM 12 to 15: layouts are written as offset and strides.
func @reinterpret(%A: memref<64xf32>, %n: index) {
  %R = memref.reinterpret_cast %A to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xf32> to memref<8x8xf32, offset: 0, strides: [8, 1]>
  %S = memref.subview %R[2, 0] [4, 8] [1, 1] : memref<8x8xf32, offset: 0, strides: [8, 1]> to memref<4x8xf32, offset: 16, strides: [8, 1]>
  %T = memref.transpose %S (i, j) -> (j, i) : memref<4x8xf32, offset: 16, strides: [8, 1]> to memref<8x4xf32, affine_map<(d0, d1) -> (d1 * 8 + d0 + 16)>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %S[%i, %j] : memref<4x8xf32, offset: 16, strides: [8, 1]>
      affine.store %x, %T[%j, %i] : memref<8x4xf32, affine_map<(d0, d1) -> (d1 * 8 + d0 + 16)>>
    }
  }
  return
}
