// Extents of 1 in layouts: whatever stride they have, neighbours lie elsewhere.
// function: units
// linear: n=5; n=19
// wrong: strided<[3, 1]>> => strided<[1, 3]>>
func.func @units(%A: memref<19x1xf64, strided<[3, 1]>>, %B: memref<1x19xf64, strided<[1, 2]>>, %C: memref<1x?x1xf64>, %D: memref<?x1xf64, strided<[2, ?]>>, %n: index) {
  affine.for %r = 0 to 2 {
    affine.for %i = 0 to %n {
      %a = affine.load %A[%i, 0] : memref<19x1xf64, strided<[3, 1]>>
      %b = affine.load %B[0, %i] : memref<1x19xf64, strided<[1, 2]>>
      %c = affine.load %C[0, %i, 0] : memref<1x?x1xf64>
      %d = affine.load %D[%i, 0] : memref<?x1xf64, strided<[2, ?]>>
    }
  }
  %column = memref.reinterpret_cast %C to offset: [0], sizes: [%n], strides: [1] : memref<1x?x1xf64> to memref<?xf64>
  affine.for %i = 0 to %n {
    %c = affine.load %column[-%i + symbol(%n) - 1] : memref<?xf64>
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = call @size(%c0) : (index) -> index
  %memory_a = memref.alloc() : memref<57xf64>
  %memory_b = memref.alloc() : memref<38xf64>
  %memory_d = memref.alloc() : memref<38xf64>
  %A = memref.reinterpret_cast %memory_a to offset: [0], sizes: [19, 1], strides: [3, 1] : memref<57xf64> to memref<19x1xf64, strided<[3, 1]>>
  %B = memref.reinterpret_cast %memory_b to offset: [0], sizes: [1, 19], strides: [1, 2] : memref<38xf64> to memref<1x19xf64, strided<[1, 2]>>
  %C = memref.alloc(%n) : memref<1x?x1xf64>
  %D = memref.reinterpret_cast %memory_d to offset: [0], sizes: [%n, 1], strides: [2, %c1] : memref<38xf64> to memref<?x1xf64, strided<[2, ?]>>
  call @trace_start() : () -> ()
  call @units(%A, %B, %C, %D, %n) : (memref<19x1xf64, strided<[3, 1]>>, memref<1x19xf64, strided<[1, 2]>>, memref<1x?x1xf64>, memref<?x1xf64, strided<[2, ?]>>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
