// Views of flat memory whose rows are not known.
func.func @f(%n: index, %m: index, %A: memref<?xf64>, %B: memref<?xf64>, %C: memref<?xf64>) {
  %c8 = arith.constant 8 : index
  // Elements are a size apart.
  %column = memref.subview %A[0] [%m] [%n] : memref<?xf64> to memref<?xf64, strided<[?]>>
  // Rows of two lengths, of which neither divides the other.
  %one = memref.reinterpret_cast %B to offset: [0], sizes: [%m, 8], strides: [%n, 1] : memref<?xf64> to memref<?x8xf64, strided<[?, 1]>>
  %two = memref.reinterpret_cast %B to offset: [0], sizes: [%n, 8], strides: [%m, 1] : memref<?xf64> to memref<?x8xf64, strided<[?, 1]>>
  // Data do not choose the start of a row, but it may reach into the next one.
  %open = memref.reinterpret_cast %C to offset: [0], sizes: [%m, %m], strides: [%n, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to 8 {
      %x = affine.load %column[%i] : memref<?xf64, strided<[?]>>
      affine.store %x, %one[%i, %j] : memref<?x8xf64, strided<[?, 1]>>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      %x = affine.load %two[%i, %j] : memref<?x8xf64, strided<[?, 1]>>
      affine.store %x, %open[%j, %i + %j] : memref<?x?xf64, strided<[?, 1]>>
    }
  }
  return
}
