// Extents of views: [n, 4] collapsed has 4*n elements, [1, s] has s, and a product of two sizes is a parameter of its own.
func.func @collapsed(%A: memref<?x4xf32>, %B: memref<1x?xf32>, %C: memref<?x?x8xf32>, %D: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x4xf32>
  %s = memref.dim %B, %c1 : memref<1x?xf32>
  %x = arith.constant 0.0 : f32
  %a = memref.collapse_shape %A [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  %all = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %all step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  %b = memref.collapse_shape %B [[0, 1]] : memref<1x?xf32> into memref<?xf32>
  %width = memref.dim %b, %c0 : memref<?xf32>
  scf.for %i = %c0 to %width step %c1 {
    memref.store %x, %b[%i] : memref<?xf32>
  }
  %e = memref.expand_shape %D [[0, 1, 2]] output_shape [1, %s, 1] : memref<?xf32> into memref<1x?x1xf32>
  affine.for %i = 0 to %s {
    affine.store %x, %e[0, %i, 0] : memref<1x?x1xf32>
  }
  // [batch, sequence, 8] as [batch * sequence, 8]: so many rows has a new array.
  %c = memref.collapse_shape %C [[0, 1], [2]] : memref<?x?x8xf32> into memref<?x8xf32>
  %rows = memref.dim %c, %c0 : memref<?x8xf32>
  %E = memref.alloc(%rows) : memref<?x8xf32>
  affine.for %i = 0 to %rows {
    affine.store %x, %E[%i, 3] : memref<?x8xf32>
  }
  %product = arith.muli %n, %s : index
  %more = arith.addi %product, %n : index
  affine.for %i = 0 to %more {
    affine.store %x, %D[%i] : memref<?xf32>
  }
  return
}
