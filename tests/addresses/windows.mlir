// Rows that overlap, as the windows of a convolution do, and one row for all.
// function: windows
// linear:
// wrong: strided<[0, 1]>> => strided<[13, 1]>>
func.func @windows(%A: memref<17x5xf32, strided<[2, 1], offset: 3>>, %B: memref<6x13xf32, strided<[0, 1]>>) {
  affine.for %i = 0 to 17 {
    affine.for %j = 0 to 5 {
      %x = affine.load %A[%i, %j] : memref<17x5xf32, strided<[2, 1], offset: 3>>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 13 {
      %x = affine.load %B[%i, %j] : memref<6x13xf32, strided<[0, 1]>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %memory = memref.alloc() : memref<40xf32>
  %A = memref.reinterpret_cast %memory to offset: [3], sizes: [17, 5], strides: [2, 1] : memref<40xf32> to memref<17x5xf32, strided<[2, 1], offset: 3>>
  %row = memref.alloc() : memref<13xf32>
  %B = memref.reinterpret_cast %row to offset: [0], sizes: [6, 13], strides: [0, 1] : memref<13xf32> to memref<6x13xf32, strided<[0, 1]>>
  call @trace_start() : () -> ()
  call @windows(%A, %B) : (memref<17x5xf32, strided<[2, 1], offset: 3>>, memref<6x13xf32, strided<[0, 1]>>) -> ()
  call @trace_stop() : () -> ()
  return
}
