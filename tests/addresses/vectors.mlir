// Vectors are their elements; a stencil on the inside of an array whose rows are longer than what is touched.
// function: vectors
// linear:
// lines: 64
// wrong: affine.vector_load %A[%i, %j + 1] => affine.vector_load %A[%i, %j]
func.func @vectors(%A: memref<9x21xf32>, %B: memref<9x21xf32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 16 step 4 {
      %x = affine.vector_load %A[%i, %j + 1] : memref<9x21xf32>, vector<4xf32>
      %y = affine.vector_load %A[%i - 1, %j + 2] : memref<9x21xf32>, vector<4xf32>
      %sum = arith.addf %x, %y : vector<4xf32>
      affine.vector_store %sum, %B[%i + 1, %j + 1] : memref<9x21xf32>, vector<4xf32>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<9x21xf32>
  %B = memref.alloc() : memref<9x21xf32>
  call @trace_start() : () -> ()
  call @vectors(%A, %B) : (memref<9x21xf32>, memref<9x21xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
