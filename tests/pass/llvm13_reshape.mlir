// LLVM 13 to 18: `expand_shape` does not say its extents, and `linalg` has the views.
func @reshape(%A: memref<?x16xf32>, %B: memref<96xf32>) {
  %x = constant 0.0 : f32
  %E = memref.expand_shape %A [[0, 1], [2]] : memref<?x16xf32> into memref<?x4x16xf32>
  %F = linalg.expand_shape %B [[0, 1, 2]] : memref<96xf32> into memref<4x6x4xf32>
  %G = linalg.collapse_shape %F [[0, 1], [2]] : memref<4x6x4xf32> into memref<24x4xf32>
  %c0 = constant 0 : index
  %n = memref.dim %E, %c0 : memref<?x4x16xf32>
  affine.for %k = 0 to 4 {
    affine.store %x, %E[0, %k, 2] : memref<?x4x16xf32>
    affine.store %x, %F[%k, 5, 3] : memref<4x6x4xf32>
    affine.store %x, %G[%k, 1] : memref<24x4xf32>
  }
  return
}
