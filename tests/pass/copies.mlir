// `memref.copy` is a nest in row-major order: of whole arrays, of views, with extents of arguments.
func.func @copies(%A: memref<?x16xf32>, %B: memref<?x16xf32>, %C: memref<8x8xf32>, %s: memref<f32>, %t: memref<f32>) {
  memref.copy %A, %B : memref<?x16xf32> to memref<?x16xf32>
  %c0 = arith.constant 0 : index
  %rows = memref.dim %A, %c0 : memref<?x16xf32>
  %D = memref.alloc(%rows) : memref<?x16xf32>
  memref.copy %B, %D : memref<?x16xf32> to memref<?x16xf32>
  affine.for %i = 0 to 4 {
    %from = memref.subview %C[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %j = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %to = memref.subview %C[%j, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
  }
  memref.copy %s, %t : memref<f32> to memref<f32>
  return
}
