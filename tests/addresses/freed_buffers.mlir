// Buffers that an iteration allocates and frees: each iteration has the same ones.
// function: freed
// linear: n=5; n=19
// rows: n=5; n=19
// wrong: %outer[%j] => %outer[%i]
func.func @freed(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %outer = memref.alloc(%n) : memref<?xf64>
    affine.for %j = 0 to %n {
      %inner = memref.alloc() : memref<7xf64>
      %x = affine.load %A[%j] : memref<?xf64>
      affine.store %x, %inner[3] : memref<7xf64>
      affine.store %x, %outer[%j] : memref<?xf64>
      memref.dealloc %inner : memref<7xf64>
    }
    affine.for %j = 0 to %n {
      %x = affine.load %outer[-%j + symbol(%n) - 1] : memref<?xf64>
      affine.store %x, %A[%j] : memref<?xf64>
    }
    memref.dealloc %outer : memref<?xf64>
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %n = call @size(%c0) : (index) -> index
  %A = memref.alloc(%n) : memref<?xf64>
  call @trace_start() : () -> ()
  call @freed(%A, %n) : (memref<?xf64>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
