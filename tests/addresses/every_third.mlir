// Every third element of a vector, beside the whole vector.
// function: thirds
// rows: n=5; n=19; n=40
// linear: n=5; n=19; n=40
// wrong: strided<[3]>> => strided<[1]>>
func.func @thirds(%A: memref<?xf64, strided<[3]>>, %B: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64, strided<[3]>>
    affine.store %x, %B[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    %x = affine.load %A[-%i + symbol(%n) - 1] : memref<?xf64, strided<[3]>>
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = call @size(%c0) : (index) -> index
  %all = arith.muli %n, %c3 : index
  %memory = memref.alloc(%all) : memref<?xf64>
  %A = memref.reinterpret_cast %memory to offset: [0], sizes: [%n], strides: [3] : memref<?xf64> to memref<?xf64, strided<[3]>>
  %B = memref.alloc(%n) : memref<?xf64>
  call @trace_start() : () -> ()
  call @thirds(%A, %B, %n) : (memref<?xf64, strided<[3]>>, memref<?xf64>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
