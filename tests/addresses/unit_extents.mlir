// Trailing extents of 1: what lies side by side is the last extent that is larger.
// function: units
// rows: b=5 s=19; b=7 s=24
// simulated: b=5 s=19; b=7 s=11
// wrong: memref<?x?x1xf64> => memref<?x?x2xf64>
func.func @units(%A: memref<?x?x1xf64>, %B: memref<1x?x1xf64>, %b: index, %s: index) {
  affine.for %i = 0 to %b {
    affine.for %j = 0 to %s {
      %x = affine.load %A[%i, %j, 0] : memref<?x?x1xf64>
      affine.store %x, %B[0, %j, 0] : memref<1x?x1xf64>
    }
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @pitch(index, index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = call @size(%c0) : (index) -> index
  %s = call @size(%c1) : (index) -> index
  %row = call @pitch(%s, %c8) : (index, index) -> index
  %all = arith.muli %row, %b : index
  %memory = memref.alloc(%all) : memref<?xf64>
  %rows = memref.reinterpret_cast %memory to offset: [0], sizes: [%b, %s, 1], strides: [%row, 1, 1] : memref<?xf64> to memref<?x?x1xf64, strided<[?, 1, 1]>>
  %A = memref.cast %rows : memref<?x?x1xf64, strided<[?, 1, 1]>> to memref<?x?x1xf64>
  %B = memref.alloc(%s) : memref<1x?x1xf64>
  call @trace_start() : () -> ()
  call @units(%A, %B, %b, %s) : (memref<?x?x1xf64>, memref<1x?x1xf64>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
