// Parts of parts with strides, in loops; dimensions of 1 that are left out.
// function: parts
// simulated: n=3; n=5
// wrong: %slice[%k, %j] => %slice[4 - %k, %j]
func.func @parts(%A: memref<11x13x17xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %part = memref.subview %A[1, 2, 3] [5, 9, %n] [2, 1, 3] : memref<11x13x17xf32> to memref<5x9x?xf32, strided<[442, 17, 3], offset: 258>>
  affine.for %i = 0 to 5 {
    %slice = memref.subview %part[%i, %i, 0] [1, 5, %n] [1, 1, 1] : memref<5x9x?xf32, strided<[442, 17, 3], offset: 258>> to memref<5x?xf32, strided<[17, 3], offset: ?>>
    %line = memref.subview %slice[0, 1] [5, 1] [1, 1] : memref<5x?xf32, strided<[17, 3], offset: ?>> to memref<5xf32, strided<[17], offset: ?>>
    %kept = memref.subview %slice[%i, 0] [1, %n] [1, 1] : memref<5x?xf32, strided<[17, 3], offset: ?>> to memref<1x?xf32, strided<[17, 3], offset: ?>>
    %length = memref.dim %kept, %c1 : memref<1x?xf32, strided<[17, 3], offset: ?>>
    affine.for %j = 0 to %length {
      %x = affine.load %kept[0, %j] : memref<1x?xf32, strided<[17, 3], offset: ?>>
      affine.for %k = 0 to 5 {
        %y = affine.load %line[%k] : memref<5xf32, strided<[17], offset: ?>>
        affine.store %x, %slice[%k, %j] : memref<5x?xf32, strided<[17, 3], offset: ?>>
      }
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
  %n = call @size(%c0) : (index) -> index
  %A = memref.alloc() : memref<11x13x17xf32>
  call @trace_start() : () -> ()
  call @parts(%A, %n) : (memref<11x13x17xf32>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
