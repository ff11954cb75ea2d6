// A buffer that nobody frees, where buffer-loop-hoisting puts it: before the loops.
// function: hoisted
// passes: func.func(buffer-loop-hoisting)
// linear: n=5; n=19
// wrong: %sum[%j] => %sum[%j floordiv 2]
func.func @hoisted(%A: memref<?x9xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %sum = memref.alloc() : memref<9xf32>
    affine.for %j = 0 to 9 {
      %x = affine.load %A[%i, %j] : memref<?x9xf32>
      affine.store %x, %sum[%j] : memref<9xf32>
      %one = memref.alloc() : memref<f32>
      affine.store %x, %one[] : memref<f32>
    }
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
  %A = memref.alloc(%n) : memref<?x9xf32>
  call @trace_start() : () -> ()
  call @hoisted(%A, %n) : (memref<?x9xf32>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
