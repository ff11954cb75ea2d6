// Which dimensions of 1 are left out where several could be, and one whose extent is only known to be 1.
// function: ranks
// linear:
// wrong: %b[%i, 0] => %b[4 - %i, 0]
func.func @ranks(%A: memref<5x3x4x7xf64>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 3 {
      %a = memref.subview %A[%i, %j, 2, 1] [1, 1, 1, 5] [1, 1, 1, 1] : memref<5x3x4x7xf64> to memref<1x5xf64, strided<[84, 1], offset: ?>>
      %b = memref.subview %A[0, %j, 1, 3] [5, 1, 1, 1] [1, 1, 1, 1] : memref<5x3x4x7xf64> to memref<5x1xf64, strided<[84, 28], offset: ?>>
      %c = memref.subview %A[%i, 0, 1, 3] [%c1, 3, 1, 1] [1, 1, 1, 1] : memref<5x3x4x7xf64> to memref<?x3xf64, strided<[84, 28], offset: ?>>
      %d = memref.subview %A[%i, %j, 3, 6] [1, 1, 1, 1] [1, 1, 1, 1] : memref<5x3x4x7xf64> to memref<f64, strided<[], offset: ?>>
      %x = affine.load %a[0, %i] : memref<1x5xf64, strided<[84, 1], offset: ?>>
      %y = affine.load %b[%i, 0] : memref<5x1xf64, strided<[84, 28], offset: ?>>
      %z = affine.load %c[0, 2 - %j] : memref<?x3xf64, strided<[84, 28], offset: ?>>
      affine.store %z, %d[] : memref<f64, strided<[], offset: ?>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<5x3x4x7xf64>
  call @trace_start() : () -> ()
  call @ranks(%A) : (memref<5x3x4x7xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
