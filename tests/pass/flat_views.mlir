// Views of arrays of rank 1 whose rows are a size apart: the array is divided into these rows.
// How a tile of a matrix in a flat buffer is passed on: its rows are %ld apart, wherever it starts.
func.func @flat_views(%m: index, %n: index, %ld: index, %a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>,
                      %d: memref<?xf32>) {
  affine.for %t = 0 to %m step 4 {
    %start = arith.muli %t, %ld : index
    %tile = memref.reinterpret_cast %a to offset: [%start], sizes: [4, %n], strides: [%ld, 1]
      : memref<?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
    affine.for %r = 0 to 4 {
      affine.for %k = 0 to %n {
        %x = affine.load %tile[%r, %k] : memref<4x?xf32, strided<[?, 1], offset: ?>>
        affine.store %x, %tile[%r, %n - 1 - %k] : memref<4x?xf32, strided<[?, 1], offset: ?>>
      }
    }
  }
  // Three dimensions, two of them of symbolic extents.
  %cube = memref.expand_shape %d [[0, 1, 2]] output_shape [%m, %n, %ld] : memref<?xf32> into memref<?x?x?xf32>
  affine.for %i = 1 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %ld {
        %x = affine.load %cube[%i - 1, %n - 1 - %j, %k] : memref<?x?x?xf32>
        affine.store %x, %cube[%i, %j, %k] : memref<?x?x?xf32>
      }
    }
  }
  // Behind the first row, in rows that are one longer; by a vector and by a copy.
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %longer = arith.addi %n, %c1 : index
  %from = memref.reinterpret_cast %b to offset: [%longer], sizes: [%m, %n], strides: [%longer, 1]
    : memref<?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  %to = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
    : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  memref.copy %from, %to : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, 1]>>
  affine.for %i = 0 to %m {
    %part = memref.subview %from[%i, 0] [1, %n] [1, 1]
      : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %x = affine.load %part[0] : memref<?xf32, strided<[1], offset: ?>>
    %y = affine.load %part[%n - 1] : memref<?xf32, strided<[1], offset: ?>>
  }
  return
}
