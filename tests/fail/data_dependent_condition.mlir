func.func @f(%n: index, %A: memref<?xf64>, %B: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %x, %zero : f64
    scf.if %positive {
      affine.store %x, %B[%i] : memref<?xf64>
    }
  }
  return
}
