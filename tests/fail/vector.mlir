func.func @f(%n: index, %A: memref<?xf64>, %M: memref<?x?xf64>, %mask: vector<4xi1>, %T: tensor<8xf64>, %S: memref<?xvector<2xf64>>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : vector<4xf64>
  affine.for %i = 0 to %n step 4 {
    %x = vector.maskedload %A[%i], %mask, %none : memref<?xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
    %y = vector.transfer_read %A[%i], %zero, %mask : memref<?xf64>, vector<4xf64>
    %z = vector.transfer_read %T[%i], %zero : tensor<8xf64>, vector<4xf64>
    %s = vector.load %A[%i] : memref<?xf64>, vector<[4]xf64>
    %flat = memref.subview %A[0] [%n] [%n] : memref<?xf64> to memref<?xf64, strided<[?]>>
    %v = vector.transfer_read %flat[%i], %zero : memref<?xf64, strided<[?]>>, vector<4xf64>
  }
  return
}
