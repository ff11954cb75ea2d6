// Views are followed to the array: slices, casts, collapsed, expanded and transposed shapes, views of views.
memref.global "private" @table : memref<8x32xf32>
func.func @views(%n: index, %A: memref<64x64xf64>, %B: memref<?xf64>, %D: memref<?x20xf64>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 32 {
    %block = memref.subview %A[%i, 4] [32, 30] [1, 2] : memref<64x64xf64> to memref<32x30xf64, strided<[64, 2], offset: ?>>
    %row = memref.subview %block[3, 0] [1, 30] [1, 1] : memref<32x30xf64, strided<[64, 2], offset: ?>> to memref<30xf64, strided<[2], offset: ?>>
    %length = memref.dim %block, %c1 : memref<32x30xf64, strided<[64, 2], offset: ?>>
    affine.for %j = 0 to %length {
      %x = affine.load %row[%j] : memref<30xf64, strided<[2], offset: ?>>
      affine.store %x, %block[%i, %j] : memref<32x30xf64, strided<[64, 2], offset: ?>>
    }
  }
  %flat = memref.collapse_shape %A [[0, 1]] : memref<64x64xf64> into memref<4096xf64>
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %flat[%i * 64 + %j] : memref<4096xf64>
    }
  }
  affine.for %i = 0 to 4096 {
    %x = affine.load %flat[%i] : memref<4096xf64>
  }
  %matrix = memref.expand_shape %B [[0, 1]] output_shape [%n, 8] : memref<?xf64> into memref<?x8xf64>
  %rows = memref.dim %matrix, %c1 : memref<?x8xf64>
  %transposed = memref.transpose %matrix (i, j) -> (j, i) : memref<?x8xf64> to memref<8x?xf64, strided<[1, 8]>>
  affine.for %i = 0 to %rows {
    affine.for %j = 0 to %n {
      %x = affine.load %matrix[%j, %i] : memref<?x8xf64>
      affine.store %x, %transposed[%i, %j] : memref<8x?xf64, strided<[1, 8]>>
    }
  }
  %strided = memref.reinterpret_cast %B to offset: [5], sizes: [10, 4], strides: [16, 2] : memref<?xf64> to memref<10x4xf64, strided<[16, 2], offset: 5>>
  %window = memref.reinterpret_cast %D to offset: [%n], sizes: [10, 4], strides: [20, 1] : memref<?x20xf64> to memref<10x4xf64, strided<[20, 1], offset: ?>>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 4 {
      %x = affine.load %strided[%i, %j] : memref<10x4xf64, strided<[16, 2], offset: 5>>
      affine.store %x, %window[%i, %j] : memref<10x4xf64, strided<[20, 1], offset: ?>>
    }
  }
  %g = memref.get_global @table : memref<8x32xf32>
  %part = memref.subview %g[1, 0] [1, 32] [1, 1] : memref<8x32xf32> to memref<32xf32, strided<[1], offset: 32>>
  %dynamic = memref.cast %part : memref<32xf32, strided<[1], offset: 32>> to memref<?xf32, strided<[1], offset: ?>>
  affine.for %i = 0 to 32 {
    %x = memref.load %dynamic[%i] : memref<?xf32, strided<[1], offset: ?>>
  }
  return
}
