// Tiles of a matrix in flat memory: rows are %ld apart, wherever a tile starts; a tile's neighbours lie in other rows and columns.
// function: flat_tiles
// rows: m=8 n=20 ld=24 o=3; m=12 n=15 ld=48 o=2
// wrong: %tile[%r, %k - 1] => %tile[%r, %k]
func.func @flat_tiles(%A: memref<?xf64>, %B: memref<?xf64>, %m: index, %n: index, %ld: index, %o: index) {
  affine.for %t = 0 to %m step 4 {
    %start = arith.muli %t, %ld : index
    %tile = memref.reinterpret_cast %A to offset: [%start], sizes: [4, %n], strides: [%ld, 1]
      : memref<?xf64> to memref<4x?xf64, strided<[?, 1], offset: ?>>
    affine.for %r = 0 to 4 {
      affine.for %k = 1 to %n {
        %x = affine.load %tile[%r, %k] : memref<4x?xf64, strided<[?, 1], offset: ?>>
        affine.store %x, %tile[%r, %k - 1] : memref<4x?xf64, strided<[?, 1], offset: ?>>
      }
    }
  }
  // From the element (o, o) on.
  %rows = arith.muli %o, %ld : index
  %corner = arith.addi %rows, %o : index
  %inner = memref.reinterpret_cast %B to offset: [%corner], sizes: [%m, %n], strides: [%ld, 1]
    : memref<?xf64> to memref<?x?xf64, strided<[?, 1], offset: ?>>
  %left = memref.subview %inner[0, 0] [%m, 2] [1, 1]
    : memref<?x?xf64, strided<[?, 1], offset: ?>> to memref<?x2xf64, strided<[?, 1], offset: ?>>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %inner[%i, %j] : memref<?x?xf64, strided<[?, 1], offset: ?>>
    }
  }
  affine.for %j = 0 to 2 {
    affine.for %i = 0 to %m {
      %x = affine.load %left[%i, %j] : memref<?x2xf64, strided<[?, 1], offset: ?>>
    }
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = call @size(%c0) : (index) -> index
  %n = call @size(%c1) : (index) -> index
  %ld = call @size(%c2) : (index) -> index
  %o = call @size(%c3) : (index) -> index
  %more = arith.addi %m, %o : index
  %a = arith.muli %m, %ld : index
  %b = arith.muli %more, %ld : index
  %A = memref.alloc(%a) : memref<?xf64>
  %B = memref.alloc(%b) : memref<?xf64>
  call @trace_start() : () -> ()
  call @flat_tiles(%A, %B, %m, %n, %ld, %o) : (memref<?xf64>, memref<?xf64>, index, index, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
