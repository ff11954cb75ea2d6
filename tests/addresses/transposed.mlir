// Transposed views of two and three dimensions, and of views.
// function: transposed
// linear:
// wrong: %C[%i, %j, %k] => %C[%j, %k, %i]
func.func @transposed(%A: memref<5x5x5xf32>, %B: memref<7x9xf32>) {
  %C = memref.transpose %A (i, j, k) -> (k, i, j) : memref<5x5x5xf32> to memref<5x5x5xf32, strided<[1, 25, 5]>>
  %D = memref.transpose %B (i, j) -> (j, i) : memref<7x9xf32> to memref<9x7xf32, strided<[1, 9]>>
  %E = memref.subview %D[2, 1] [3, 5] [3, 1] : memref<9x7xf32, strided<[1, 9]>> to memref<3x5xf32, strided<[3, 9], offset: 11>>
  %F = memref.transpose %E (i, j) -> (j, i) : memref<3x5xf32, strided<[3, 9], offset: 11>> to memref<5x3xf32, strided<[9, 3], offset: 11>>
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 3 {
        %x = affine.load %C[%i, %j, %k] : memref<5x5x5xf32, strided<[1, 25, 5]>>
        affine.store %x, %E[%k, %j] : memref<3x5xf32, strided<[3, 9], offset: 11>>
        %y = affine.load %F[%i, %k] : memref<5x3xf32, strided<[9, 3], offset: 11>>
      }
    }
  }
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 7 {
      %x = affine.load %D[%i, %j] : memref<9x7xf32, strided<[1, 9]>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<5x5x5xf32>
  %B = memref.alloc() : memref<7x9xf32>
  call @trace_start() : () -> ()
  call @transposed(%A, %B) : (memref<5x5x5xf32>, memref<7x9xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
