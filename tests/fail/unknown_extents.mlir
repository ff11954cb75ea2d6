// Extents that are not known before the loops.
func.func @f(%k: index, %size: memref<index>, %A: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %size[] : memref<index>
  %local = memref.alloc(%n) : memref<?xf64>
  %extent = memref.dim %local, %c0 : memref<?xf64>
  affine.for %i = 0 to %extent {
    %x = affine.load %local[%i] : memref<?xf64>
  }
  %some = memref.dim %A, %k : memref<?x?xf64>
  affine.for %i = 0 to %some {
    %x = affine.load %A[%i, 0] : memref<?x?xf64>
  }
  return
}
