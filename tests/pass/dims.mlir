// memref.dim: a parameter for a dynamic extent of an argument (the same extent is the same parameter), a constant for a
// static one, the size operand for an allocation; also behind a cast. Parameters: arguments, then extents by first use.
func.func @dims(%A: memref<?x?xf64>, %B: memref<?x20xf64>, %unused: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %A, %c0 : memref<?x?xf64>
  %columns = memref.dim %A, %c1 : memref<?x?xf64>
  %again = memref.dim %A, %c0 : memref<?x?xf64>
  %twenty = memref.dim %B, %c1 : memref<?x20xf64>
  %never_used = memref.dim %B, %c0 : memref<?x20xf64>
  %local = memref.alloc(%rows, %size) : memref<?x4x?xf64>
  %0 = memref.dim %local, %c0 : memref<?x4x?xf64>
  %c2 = arith.constant 2 : index
  %1 = memref.dim %local, %c2 : memref<?x4x?xf64>
  %cast = memref.cast %A : memref<?x?xf64> to memref<8x?xf64>
  %eight = memref.dim %cast, %c0 : memref<8x?xf64>
  %2 = memref.dim %cast, %c1 : memref<8x?xf64>
  affine.for %j = 0 to %columns {
    affine.for %i = 0 to %rows {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
    }
    affine.for %i = 0 to %again {
      affine.for %k = 0 to %twenty {
        %x = affine.load %B[%i, %k] : memref<?x20xf64>
      }
    }
  }
  affine.for %i = 0 to %0 {
    affine.for %k = 0 to %1 {
      %x = affine.load %local[%i, 0, %k] : memref<?x4x?xf64>
    }
  }
  affine.for %i = 0 to %eight {
    affine.for %j = 0 to %2 {
      %x = affine.load %cast[%i, %j] : memref<8x?xf64>
    }
  }
  return
}
