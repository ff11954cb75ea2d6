// Buffers in loops: on the stack, and freed before the next iteration. Every iteration has the same one.
func.func private @row(%A: memref<?x?xf64>, %i: index, %n: index) {
  %sum = memref.alloca() : memref<1xf64>
  affine.for %j = 0 to %n {
    %x = affine.load %A[symbol(%i), %j] : memref<?x?xf64>
    affine.store %x, %sum[0] : memref<1xf64>
  }
  return
}
func.func @kernel(%A: memref<?x?xf64>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    %row = memref.alloc(%n) : memref<?xf64>
    affine.for %j = 0 to %n {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      affine.store %x, %row[%j] : memref<?xf64>
    }
    affine.for %j = 0 to %n {
      %x = affine.load %row[%j] : memref<?xf64>
      affine.store %x, %A[%i, %j] : memref<?x?xf64>
    }
    memref.dealloc %row : memref<?xf64>
    func.call @row(%A, %i, %n) : (memref<?x?xf64>, index, index) -> ()
  }
  return
}
// OPTIONS: --function kernel
