// Copies between parts of arrays, where the extents are sizes: rows, columns, blocks, and what lies across.
// function: parts
// rows: m=11 n=19; m=24 n=24
// simulated: m=11 n=19; m=13 n=13
// wrong: memref.copy %left, %across : memref<5x5xf64, strided<[?, 1], offset: ?>> to memref<5x5xf64, strided<[1, ?], offset: 5>> => memref.copy %left, %right : memref<5x5xf64, strided<[?, 1], offset: ?>> to memref<5x5xf64, strided<[?, 1], offset: 5>>
func.func @parts(%A: memref<?x?xf64>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to affine_map<(d0) -> (d0 - 1)>(%m) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %from = memref.subview %A[%i, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %to = memref.subview %A[%j, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<?xf64, strided<[1], offset: ?>> to memref<?xf64, strided<[1], offset: ?>>
  }
  %first = memref.subview %A[0, 0] [%m, 1] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[?]>>
  %third = memref.subview %A[0, 2] [%m, 1] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[?], offset: 2>>
  memref.copy %first, %third : memref<?xf64, strided<[?]>> to memref<?xf64, strided<[?], offset: 2>>
  %left = memref.subview %A[1, 0] [5, 5] [1, 1] : memref<?x?xf64> to memref<5x5xf64, strided<[?, 1], offset: ?>>
  %right = memref.subview %A[0, 5] [5, 5] [2, 1] : memref<?x?xf64> to memref<5x5xf64, strided<[?, 1], offset: 5>>
  %across = memref.transpose %right (i, j) -> (j, i) : memref<5x5xf64, strided<[?, 1], offset: 5>> to memref<5x5xf64, strided<[1, ?], offset: 5>>
  memref.copy %left, %across : memref<5x5xf64, strided<[?, 1], offset: ?>> to memref<5x5xf64, strided<[1, ?], offset: 5>>
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @pitch(index, index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = call @size(%c0) : (index) -> index
  %n = call @size(%c1) : (index) -> index
  %row = call @pitch(%n, %c8) : (index, index) -> index
  %all = arith.muli %row, %m : index
  %memory = memref.alloc(%all) : memref<?xf64>
  %rows = memref.reinterpret_cast %memory to offset: [0], sizes: [%m, %n], strides: [%row, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %A = memref.cast %rows : memref<?x?xf64, strided<[?, 1]>> to memref<?x?xf64>
  call @trace_start() : () -> ()
  call @parts(%A, %m, %n) : (memref<?x?xf64>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
