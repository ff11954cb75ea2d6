// Positions in row-major order: of subscripts, with extents that are constants or sizes, and back to subscripts.
func.func @positions(%n: index, %m: index, %A: memref<?xf32>, %B: memref<8x17x32xf32>, %C: memref<64x128xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.linearize_index disjoint [%i, %j] by (%n, %m) : index
      %x = memref.load %A[%k] : memref<?xf32>
      %l = affine.linearize_index [%i, %j] by (%m) : index
      memref.store %x, %A[%l] : memref<?xf32>
    }
  }
  affine.for %t = 0 to 4352 {
    %x:3 = affine.delinearize_index %t into (8, 17, 32) : index, index, index
    %v = memref.load %B[%x#0, %x#1, %x#2] : memref<8x17x32xf32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 128 {
      %k = affine.linearize_index [%i, %j] by (128) : index
      %x:2 = affine.delinearize_index %k into (128) : index, index
      %v = memref.load %C[%x#0, %x#1] : memref<64x128xf32>
    }
  }
  return
}
