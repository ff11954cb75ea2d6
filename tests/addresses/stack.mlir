// Buffers on the stack: of an iteration, before the loops by buffer-loop-hoisting, and of a function that is called in a loop.
// function: stack
// lines: 64
// passes: func.func(buffer-loop-hoisting)
// linear: n=5; n=19
// wrong: %scratch[%j] => %scratch[%j floordiv 2]
func.func private @row(%A: memref<?x9xf64>, %i: index) {
  %sum = memref.alloca() {alignment = 64} : memref<3xf64>
  affine.for %j = 0 to 9 {
    %x = affine.load %A[symbol(%i), %j] : memref<?x9xf64>
    affine.store %x, %sum[%j mod 3] : memref<3xf64>
  }
  return
}
func.func @stack(%A: memref<?x9xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %scratch = memref.alloca() {alignment = 64} : memref<9xf64>
    %scalar = memref.alloca() {alignment = 64} : memref<f64>
    affine.for %j = 0 to 9 {
      %x = affine.load %A[%i, %j] : memref<?x9xf64>
      affine.store %x, %scratch[%j] : memref<9xf64>
      affine.store %x, %scalar[] : memref<f64>
    }
    affine.for %j = 0 to 9 {
      %x = affine.load %scratch[-%j + 8] : memref<9xf64>
      affine.store %x, %A[%i, %j] : memref<?x9xf64>
    }
    func.call @row(%A, %i) : (memref<?x9xf64>, index) -> ()
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
  %A = memref.alloc(%n) : memref<?x9xf64>
  call @trace_start() : () -> ()
  call @stack(%A, %n) : (memref<?x9xf64>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
