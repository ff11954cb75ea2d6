// Columns of 13 elements, walked along rows and along columns.
// function: columns
// linear:
// wrong: strided<[1, 13]>> => strided<[11, 1]>>
func.func @columns(%A: memref<13x11xf64, strided<[1, 13]>>, %B: memref<13x11xf64>) {
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to 11 {
      %x = affine.load %A[%i, %j] : memref<13x11xf64, strided<[1, 13]>>
      affine.store %x, %B[%i, %j] : memref<13x11xf64>
    }
  }
  affine.for %j = 0 to 11 {
    affine.for %i = 0 to 13 {
      %x = affine.load %A[%i, %j] : memref<13x11xf64, strided<[1, 13]>>
      affine.store %x, %B[%i, %j] : memref<13x11xf64>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %memory = memref.alloc() : memref<143xf64>
  %A = memref.reinterpret_cast %memory to offset: [0], sizes: [13, 11], strides: [1, 13] : memref<143xf64> to memref<13x11xf64, strided<[1, 13]>>
  %B = memref.alloc() : memref<13x11xf64>
  call @trace_start() : () -> ()
  call @columns(%A, %B) : (memref<13x11xf64, strided<[1, 13]>>, memref<13x11xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
