// Elements of one, two and eight bytes.
// function: kinds
// linear:
// lines: 64
// wrong: memref<19x7xi16> => memref<19x7xi32>
func.func @kinds(%A: memref<19x7xi8>, %B: memref<19x7xi16>, %C: memref<19x7xi1>, %D: memref<19x7xbf16>, %E: memref<19x7xindex>, %F: memref<19x7xi64>) {
  affine.for %i = 0 to 19 {
    affine.for %j = 0 to 7 {
      %a = affine.load %A[%i, %j] : memref<19x7xi8>
      %b = affine.load %B[%i, %j] : memref<19x7xi16>
      %c = affine.load %C[%i, %j] : memref<19x7xi1>
      %d = affine.load %D[%i, %j] : memref<19x7xbf16>
      %e = affine.load %E[%i, %j] : memref<19x7xindex>
      %f = affine.load %F[%i, %j] : memref<19x7xi64>
    }
  }
  affine.for %j = 0 to 7 {
    affine.for %i = 0 to 19 {
      %a = affine.load %A[%i, %j] : memref<19x7xi8>
      %b = affine.load %B[%i, %j] : memref<19x7xi16>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<19x7xi8>
  %B = memref.alloc() : memref<19x7xi16>
  %C = memref.alloc() : memref<19x7xi1>
  %D = memref.alloc() : memref<19x7xbf16>
  %E = memref.alloc() : memref<19x7xindex>
  %F = memref.alloc() : memref<19x7xi64>
  call @trace_start() : () -> ()
  call @kinds(%A, %B, %C, %D, %E, %F) : (memref<19x7xi8>, memref<19x7xi16>, memref<19x7xi1>, memref<19x7xbf16>, memref<19x7xindex>, memref<19x7xi64>) -> ()
  call @trace_stop() : () -> ()
  return
}
