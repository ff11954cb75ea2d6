// A buffer of each thread, which is allocated in a loop that threads share.
func.func @own_buffer(%A: memref<?x32xf64>, %B: memref<?x32xf64>, %n: index) {
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %row = memref.alloca() : memref<32xf64>
    affine.for %j = 0 to 32 {
      %x = affine.load %A[%i, %j] : memref<?x32xf64>
      affine.store %x, %row[%j] : memref<32xf64>
    }
    affine.for %j = 1 to 32 {
      %x = affine.load %row[%j - 1] : memref<32xf64>
      %y = affine.load %row[%j] : memref<32xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %B[%i, %j] : memref<?x32xf64>
    }
  }
  return
}
