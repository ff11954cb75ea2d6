// A copy of a part of an array, which can be compared with what is compiled; masks, which cannot; and a branch that data decide.
func.func @part(%A: memref<8x8xf64>, %B: memref<8x4xf64>) {
  %left = memref.subview %A[0, 0] [8, 4] [1, 1] : memref<8x8xf64> to memref<8x4xf64, strided<[8, 1]>>
  memref.copy %left, %B : memref<8x4xf64, strided<[8, 1]>> to memref<8x4xf64>
  return
}
func.func @masked(%n: index, %A: memref<?xf32>) {
  %none = arith.constant dense<0.0> : vector<8xf32>
  %mask = vector.create_mask %n : vector<8xi1>
  %x = vector.maskedload %A[%n], %mask, %none : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}
func.func @branch(%n: index, %A: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %small = arith.cmpf olt, %x, %zero : f64
    scf.if %small {
      affine.store %zero, %A[%i] : memref<?xf64>
    }
  }
  return
}
