// Views of arrays whose rows overlap, lie apart, or are a map: the view counts subscripts, the layout places them.
// function: layered
// simulated:
// wrong: %windows[%i, %j] => %windows[6 - %i, %j]
func.func @layered(%A: memref<15x4xf64, strided<[2, 1]>>, %B: memref<12x?xf64, strided<[1, 13]>>, %C: memref<6xf64, strided<[3], offset: 1>>) {
  %windows = memref.subview %A[1, 2] [7, 2] [2, 1] : memref<15x4xf64, strided<[2, 1]>> to memref<7x2xf64, strided<[4, 1], offset: 4>>
  %parts = memref.expand_shape %C [[0, 1]] output_shape [2, 3] : memref<6xf64, strided<[3], offset: 1>> into memref<2x3xf64, strided<[9, 3], offset: 1>>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 2 {
      %x = affine.load %windows[%i, %j] : memref<7x2xf64, strided<[4, 1], offset: 4>>
      %y = affine.load %B[%i + %j, %j] : memref<12x?xf64, strided<[1, 13]>>
      %z = affine.load %parts[%j, %i mod 3] : memref<2x3xf64, strided<[9, 3], offset: 1>>
      affine.store %y, %A[%i + 1, %j] : memref<15x4xf64, strided<[2, 1]>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c2 = arith.constant 2 : index
  %memory_a = memref.alloc() : memref<32xf64>
  %memory_b = memref.alloc() : memref<26xf64>
  %memory_c = memref.alloc() : memref<17xf64>
  %A = memref.reinterpret_cast %memory_a to offset: [0], sizes: [15, 4], strides: [2, 1] : memref<32xf64> to memref<15x4xf64, strided<[2, 1]>>
  %B = memref.reinterpret_cast %memory_b to offset: [0], sizes: [12, %c2], strides: [1, 13] : memref<26xf64> to memref<12x?xf64, strided<[1, 13]>>
  %C = memref.reinterpret_cast %memory_c to offset: [1], sizes: [6], strides: [3] : memref<17xf64> to memref<6xf64, strided<[3], offset: 1>>
  call @trace_start() : () -> ()
  call @layered(%A, %B, %C) : (memref<15x4xf64, strided<[2, 1]>>, memref<12x?xf64, strided<[1, 13]>>, memref<6xf64, strided<[3], offset: 1>>) -> ()
  call @trace_stop() : () -> ()
  return
}
