// Every other element of rows of 40, from the fourth on.
// function: gaps
// linear:
// wrong: offset: 3> => offset: 0>
func.func @gaps(%A: memref<5x7xf32, strided<[40, 2], offset: 3>>, %B: memref<7x5xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      %x = affine.load %A[%i, %j] : memref<5x7xf32, strided<[40, 2], offset: 3>>
      affine.store %x, %B[%j, %i] : memref<7x5xf32>
      %y = affine.load %A[-%i + 4, -%j + 6] : memref<5x7xf32, strided<[40, 2], offset: 3>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %memory = memref.alloc() : memref<200xf32>
  %A = memref.reinterpret_cast %memory to offset: [3], sizes: [5, 7], strides: [40, 2] : memref<200xf32> to memref<5x7xf32, strided<[40, 2], offset: 3>>
  %B = memref.alloc() : memref<7x5xf32>
  call @trace_start() : () -> ()
  call @gaps(%A, %B) : (memref<5x7xf32, strided<[40, 2], offset: 3>>, memref<7x5xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
