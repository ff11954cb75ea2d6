// Copies of whole arrays, of columns to rows and of a scalar, and between parts of one array.
// function: copies
// linear:
// wrong: strided<[1, 7]>> => strided<[9, 1]>>
func.func @copies(%A: memref<7x9xf64, strided<[1, 7]>>, %B: memref<7x9xf64>, %s: memref<f64>, %t: memref<f64>) {
  memref.copy %A, %B : memref<7x9xf64, strided<[1, 7]>> to memref<7x9xf64>
  %C = memref.alloc() : memref<7x9xf64>
  memref.copy %B, %C : memref<7x9xf64> to memref<7x9xf64>
  %upper = memref.subview %C[0, 1] [3, 7] [1, 1] : memref<7x9xf64> to memref<3x7xf64, strided<[9, 1], offset: 1>>
  %lower = memref.subview %C[2, 2] [3, 7] [2, 1] : memref<7x9xf64> to memref<3x7xf64, strided<[18, 1], offset: 20>>
  memref.copy %upper, %lower : memref<3x7xf64, strided<[9, 1], offset: 1>> to memref<3x7xf64, strided<[18, 1], offset: 20>>
  memref.copy %s, %t : memref<f64> to memref<f64>
  memref.copy %C, %A : memref<7x9xf64> to memref<7x9xf64, strided<[1, 7]>>
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %memory = memref.alloc() : memref<63xf64>
  %A = memref.reinterpret_cast %memory to offset: [0], sizes: [7, 9], strides: [1, 7] : memref<63xf64> to memref<7x9xf64, strided<[1, 7]>>
  %B = memref.alloc() : memref<7x9xf64>
  %s = memref.alloc() : memref<f64>
  %t = memref.alloc() : memref<f64>
  call @trace_start() : () -> ()
  call @copies(%A, %B, %s, %t) : (memref<7x9xf64, strided<[1, 7]>>, memref<7x9xf64>, memref<f64>, memref<f64>) -> ()
  call @trace_stop() : () -> ()
  return
}
