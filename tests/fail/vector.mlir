func.func @f(%n: index, %A: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n step 4 {
    %x = affine.vector_load %A[%i] : memref<?xf64>, vector<4xf64>
    affine.vector_store %x, %A[%i] : memref<?xf64>, vector<4xf64>
    %y = vector.transfer_read %A[%i], %zero : memref<?xf64>, vector<4xf64>
    vector.store %y, %A[%i] : memref<?xf64>, vector<4xf64>
  }
  return
}
