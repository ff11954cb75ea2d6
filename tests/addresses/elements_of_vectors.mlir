// Arrays whose elements are vectors, loaded and stored whole, by themselves and by transfers. One element is one access.
// function: packed
// linear:
// lines: 64
// vectors: whole
// wrong: affine.load %A[%i] => affine.load %A[0]
func.func @packed(%A: memref<9xvector<4xf32>>, %B: memref<9x5xvector<4xf32>>) {
  affine.for %i = 0 to 9 {
    %x = affine.load %A[%i] : memref<9xvector<4xf32>>
    affine.for %j = 0 to 5 {
      %y = memref.load %B[%i, %j] : memref<9x5xvector<4xf32>>
      %z = arith.addf %x, %y : vector<4xf32>
      memref.store %z, %B[%i, %j] : memref<9x5xvector<4xf32>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<9xvector<4xf32>>
  %B = memref.alloc() : memref<9x5xvector<4xf32>>
  call @trace_start() : () -> ()
  call @packed(%A, %B) : (memref<9xvector<4xf32>>, memref<9x5xvector<4xf32>>) -> ()
  call @trace_stop() : () -> ()
  return
}
