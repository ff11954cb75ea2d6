// Tiles of 4 x 16, one behind the other, which MLIR's own pass makes dimensions of.
// function: tiles
// passes: normalize-memrefs
// rows:
// simulated:
// lines: 64
// wrong: d1 floordiv 16, d0 mod 4, d1 mod 16 => d1 floordiv 16, d1 mod 16, d0 mod 4
#tiles = affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 16, d0 mod 4, d1 mod 16)>
func.func @tiles(%A: memref<11x45xf32, #tiles>, %B: memref<12x48xf32>, %C: memref<3x45xf32, #tiles>) {
  affine.for %i = 0 to 11 {
    affine.for %j = 0 to 45 {
      %x = affine.load %A[%i, %j] : memref<11x45xf32, #tiles>
      affine.store %x, %C[%i floordiv 4, %j] : memref<3x45xf32, #tiles>
      affine.store %x, %B[%i, %j] : memref<12x48xf32>
    }
  }
  affine.for %j = 1 to 39 {
    affine.for %i = 2 to 9 {
      %x = affine.load %A[%i, %j] : memref<11x45xf32, #tiles>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<11x45xf32, #tiles>
  %B = memref.alloc() : memref<12x48xf32>
  %C = memref.alloc() : memref<3x45xf32, #tiles>
  call @trace_start() : () -> ()
  call @tiles(%A, %B, %C) : (memref<11x45xf32, #tiles>, memref<12x48xf32>, memref<3x45xf32, #tiles>) -> ()
  call @trace_stop() : () -> ()
  return
}
