// A blocked product of matrices that copies a block of B to a buffer and across, with remainders.
// function: packed
// simulated:
// rows:
// lines: 64
// wrong: affine.load %buffer[%j, %k] => affine.load %buffer[%k, %j]
func.func @packed(%A: memref<13x16xf64>, %B: memref<16x24xf64>, %C: memref<13x24xf64>) {
  affine.for %jj = 0 to 24 step 8 {
    affine.for %kk = 0 to 16 step 8 {
      %buffer = memref.alloc() : memref<8x8xf64>
      %block = memref.subview %B[%kk, %jj] [8, 8] [1, 1] : memref<16x24xf64> to memref<8x8xf64, strided<[24, 1], offset: ?>>
      %across = memref.transpose %block (k, j) -> (j, k) : memref<8x8xf64, strided<[24, 1], offset: ?>> to memref<8x8xf64, strided<[1, 24], offset: ?>>
      %part = memref.cast %buffer : memref<8x8xf64> to memref<?x?xf64>
      memref.copy %across, %part : memref<8x8xf64, strided<[1, 24], offset: ?>> to memref<?x?xf64>
      affine.for %i = 0 to 13 {
        affine.for %j = 0 to 8 {
          affine.for %k = 0 to 8 {
            %a = affine.load %A[%i, %kk + %k] : memref<13x16xf64>
            %b = affine.load %buffer[%j, %k] : memref<8x8xf64>
            %c = affine.load %C[%i, %jj + %j] : memref<13x24xf64>
            %ab = arith.mulf %a, %b : f64
            %sum = arith.addf %c, %ab : f64
            affine.store %sum, %C[%i, %jj + %j] : memref<13x24xf64>
          }
        }
      }
      memref.dealloc %buffer : memref<8x8xf64>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<13x16xf64>
  %B = memref.alloc() : memref<16x24xf64>
  %C = memref.alloc() : memref<13x24xf64>
  call @trace_start() : () -> ()
  call @packed(%A, %B, %C) : (memref<13x16xf64>, memref<16x24xf64>, memref<13x24xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
