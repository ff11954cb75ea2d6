// A layout that is a map and no strides: of three dimensions the first is the innermost in memory.
// function: permuted
// passes: normalize-memrefs
// rows:
// linear:
// wrong: (d1, d2, d0) => (d0, d1, d2)
#inner = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
func.func @permuted(%A: memref<48x5x7xf32, #inner>) {
  affine.for %i = 0 to 45 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 7 {
        %x = affine.load %A[%i, %j, %k] : memref<48x5x7xf32, #inner>
      }
    }
  }
  affine.for %j = 0 to 5 {
    affine.for %i = 0 to 48 {
      %x = affine.load %A[%i, %j, %j] : memref<48x5x7xf32, #inner>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<48x5x7xf32, #inner>
  call @trace_start() : () -> ()
  call @permuted(%A) : (memref<48x5x7xf32, #inner>) -> ()
  call @trace_stop() : () -> ()
  return
}
