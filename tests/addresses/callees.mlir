// Views that are passed to functions, which make views of them.
// function: callees
// linear:
// wrong: %right[%i] [1] => %right[0] [1]
func.func private @swap(%left: memref<5xf32, strided<[?], offset: ?>>, %right: memref<5xf32, strided<[?], offset: ?>>) {
  affine.for %i = 0 to 5 {
    %one = memref.subview %right[%i] [1] [1] : memref<5xf32, strided<[?], offset: ?>> to memref<f32, strided<[], offset: ?>>
    %x = affine.load %left[%i] : memref<5xf32, strided<[?], offset: ?>>
    %y = affine.load %one[] : memref<f32, strided<[], offset: ?>>
    affine.store %x, %one[] : memref<f32, strided<[], offset: ?>>
    affine.store %y, %left[%i] : memref<5xf32, strided<[?], offset: ?>>
  }
  return
}
func.func @callees(%A: memref<5x7xf32>, %B: memref<9x13xf32, strided<[1, 9]>>) {
  affine.for %i = 0 to 5 {
    %column = memref.subview %A[0, %i] [5, 1] [1, 1] : memref<5x7xf32> to memref<5xf32, strided<[7], offset: ?>>
    %row = memref.subview %B[%i, 1] [1, 5] [1, 2] : memref<9x13xf32, strided<[1, 9]>> to memref<5xf32, strided<[18], offset: ?>>
    %left = memref.cast %column : memref<5xf32, strided<[7], offset: ?>> to memref<5xf32, strided<[?], offset: ?>>
    %right = memref.cast %row : memref<5xf32, strided<[18], offset: ?>> to memref<5xf32, strided<[?], offset: ?>>
    func.call @swap(%left, %right) : (memref<5xf32, strided<[?], offset: ?>>, memref<5xf32, strided<[?], offset: ?>>) -> ()
    func.call @swap(%right, %left) : (memref<5xf32, strided<[?], offset: ?>>, memref<5xf32, strided<[?], offset: ?>>) -> ()
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<5x7xf32>
  %memory = memref.alloc() : memref<117xf32>
  %B = memref.reinterpret_cast %memory to offset: [0], sizes: [9, 13], strides: [1, 9] : memref<117xf32> to memref<9x13xf32, strided<[1, 9]>>
  call @trace_start() : () -> ()
  call @callees(%A, %B) : (memref<5x7xf32>, memref<9x13xf32, strided<[1, 9]>>) -> ()
  call @trace_stop() : () -> ()
  return
}
