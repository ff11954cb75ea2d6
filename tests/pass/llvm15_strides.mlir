// LLVM 15: dynamic offsets in the old syntax of layouts, with a memory space.
func.func @strides(%A: memref<?x8xf32>, %n: index) {
  %V = memref.subview %A[%n, 0] [4, 8] [1, 1] : memref<?x8xf32> to memref<4x8xf32, offset: ?, strides: [8, 1]>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %V[%i, %j] : memref<4x8xf32, offset: ?, strides: [8, 1]>
      %y = arith.minf %x, %x : f32
      affine.store %y, %V[%i, %j] : memref<4x8xf32, offset: ?, strides: [8, 1]>
    }
  }
  return
}
