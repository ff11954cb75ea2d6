// Memrefs without a rank are flat: views of them say what their rows are, a cast by the extents that they turn out to have.
func.func @unranked(%m: index, %n: index, %ld: index, %u: memref<*xf32>, %w: memref<*xf64>, %z: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %m {
    %start = arith.muli %i, %ld : index
    %row = memref.reinterpret_cast %u to offset: [%start], sizes: [%n], strides: [1]
      : memref<*xf32> to memref<?xf32, strided<[1], offset: ?>>
    affine.for %j = 0 to %n {
      %x = affine.load %row[%j] : memref<?xf32, strided<[1], offset: ?>>
      affine.store %x, %row[%j] : memref<?xf32, strided<[1], offset: ?>>
    }
  }
  %W = memref.cast %w : memref<*xf64> to memref<?x?xf64>
  %rows = memref.dim %W, %c0 : memref<?x?xf64>
  %columns = memref.dim %W, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %rows {
    affine.for %j = 1 to %columns {
      %x = affine.load %W[%i, %j - 1] : memref<?x?xf64>
      affine.store %x, %W[%i, %j] : memref<?x?xf64>
    }
  }
  %Z = memref.cast %z : memref<*xf32> to memref<?x16xf32>
  affine.for %i = 0 to %m {
    %x = affine.load %Z[%i, 3] : memref<?x16xf32>
  }
  return
}
