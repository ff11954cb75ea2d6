// Tiles that are copied onto themselves, which MLIR removes once it sees that both are one; and one that is copied elsewhere.
// function: copies
// linear:
// passes: canonicalize,cse,canonicalize
// wrong: affine.store %x, %again[2, %k] => affine.store %x, %again[3, %k]
func.func @copies(%A: memref<24x9xf64>) {
  affine.for %i = 0 to 24 step 4 {
    %tile = memref.subview %A[%i, 0] [4, 9] [1, 1] : memref<24x9xf64> to memref<4x9xf64, strided<[9, 1], offset: ?>>
    %again = memref.subview %A[%i, 0] [4, 9] [1, 1] : memref<24x9xf64> to memref<4x9xf64, strided<[9, 1], offset: ?>>
    affine.for %k = 0 to 9 {
      %x = affine.load %tile[1, %k] : memref<4x9xf64, strided<[9, 1], offset: ?>>
      affine.store %x, %again[2, %k] : memref<4x9xf64, strided<[9, 1], offset: ?>>
    }
    memref.copy %tile, %again : memref<4x9xf64, strided<[9, 1], offset: ?>> to memref<4x9xf64, strided<[9, 1], offset: ?>>
  }
  memref.copy %A, %A : memref<24x9xf64> to memref<24x9xf64>
  %here = memref.subview %A[0, 0] [4, 9] [1, 1] : memref<24x9xf64> to memref<4x9xf64, strided<[9, 1]>>
  %there = memref.subview %A[8, 0] [4, 9] [1, 1] : memref<24x9xf64> to memref<4x9xf64, strided<[9, 1], offset: 72>>
  memref.copy %here, %there : memref<4x9xf64, strided<[9, 1]>> to memref<4x9xf64, strided<[9, 1], offset: 72>>
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<24x9xf64>
  call @trace_start() : () -> ()
  call @copies(%A) : (memref<24x9xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
