// Subscripts to positions in row-major order and back, as MLIR expands them.
// function: positions
// linear:
// passes: func.func(affine-expand-index-ops)
// wrong: by (6, 11) => by (7, 10)
func.func @positions(%A: memref<66xf32>, %B: memref<5x7x9xf32>, %C: memref<7x45xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 11 {
      %k = affine.linearize_index disjoint [%i, %j] by (6, 11) : index
      %x = memref.load %A[%k] : memref<66xf32>
      memref.store %x, %A[%k] : memref<66xf32>
    }
  }
  affine.for %t = 0 to 315 {
    %x:3 = affine.delinearize_index %t into (5, 7, 9) : index, index, index
    %v = memref.load %B[%x#0, %x#1, %x#2] : memref<5x7x9xf32>
    %y:2 = affine.delinearize_index %t into (45) : index, index
    memref.store %v, %C[%y#0, %y#1] : memref<7x45xf32>
  }
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 3 {
      %k = affine.linearize_index [%i, %j] by (3) : index
      %x = memref.load %A[%k] : memref<66xf32>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<66xf32>
  %B = memref.alloc() : memref<5x7x9xf32>
  %C = memref.alloc() : memref<7x45xf32>
  call @trace_start() : () -> ()
  call @positions(%A, %B, %C) : (memref<66xf32>, memref<5x7x9xf32>, memref<7x45xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
