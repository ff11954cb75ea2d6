// Arrays read with other offsets, sizes and strides; those of a part count from the start of the array, not of the part.
// function: reinterpreted
// simulated: n=5; n=9
// wrong: %row[%j] => %row[%j floordiv 2]
func.func @reinterpreted(%A: memref<200xf64>, %B: memref<11x13xf64>, %n: index) {
  %grid = memref.reinterpret_cast %A to offset: [5], sizes: [11, 7], strides: [17, 2] : memref<200xf64> to memref<11x7xf64, strided<[17, 2], offset: 5>>
  %row = memref.subview %B[3, 1] [1, 9] [1, 1] : memref<11x13xf64> to memref<9xf64, strided<[1], offset: 40>>
  %whole = memref.reinterpret_cast %row to offset: [2], sizes: [4, 6], strides: [3, 19] : memref<9xf64, strided<[1], offset: 40>> to memref<4x6xf64, strided<[3, 19], offset: 2>>
  %moved = memref.reinterpret_cast %A to offset: [%n], sizes: [%n, 9], strides: [9, 1] : memref<200xf64> to memref<?x9xf64, strided<[9, 1], offset: ?>>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 11 {
      %x = affine.load %grid[%j, %i] : memref<11x7xf64, strided<[17, 2], offset: 5>>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %whole[%i, %j] : memref<4x6xf64, strided<[3, 19], offset: 2>>
    }
  }
  affine.for %j = 0 to 9 {
    affine.for %i = 0 to %n {
      %x = affine.load %moved[%i, %j] : memref<?x9xf64, strided<[9, 1], offset: ?>>
      affine.store %x, %row[%j] : memref<9xf64, strided<[1], offset: 40>>
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
  %A = memref.alloc() : memref<200xf64>
  %B = memref.alloc() : memref<11x13xf64>
  call @trace_start() : () -> ()
  call @reinterpreted(%A, %B, %n) : (memref<200xf64>, memref<11x13xf64>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
