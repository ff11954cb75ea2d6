// Tiles that a pass copies to buffers; symloc runs the same passes.
// function: tiles
// passes: func.func(affine-loop-tile{tile-sizes=5,5},affine-data-copy-generate{generate-dma=false fast-mem-space=0 skip-non-unit-stride-loops=false},buffer-loop-hoisting)
// flags: --passes 'func.func(affine-loop-tile{tile-sizes=5,5},affine-data-copy-generate{generate-dma=false fast-mem-space=0 skip-non-unit-stride-loops=false},buffer-loop-hoisting)'
// simulated:
// wrong: %A[%i, %j] => %A[%j, %i]
func.func @tiles(%A: memref<15x15xf64>, %B: memref<15x15xf64>) {
  affine.for %i = 0 to 15 {
    affine.for %j = 0 to 15 {
      %x = affine.load %A[%i, %j] : memref<15x15xf64>
      affine.store %x, %B[%j, %i] : memref<15x15xf64>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<15x15xf64>
  %B = memref.alloc() : memref<15x15xf64>
  call @trace_start() : () -> ()
  call @tiles(%A, %B) : (memref<15x15xf64>, memref<15x15xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
