// Arrays whose elements are vectors: an element is one access, also of what is transferred.
func.func @packed(%A: memref<8xvector<4xf32>>, %B: memref<8x6xvector<4xf32>>, %start: index) {
  %none = arith.constant dense<0.0> : vector<4xf32>
  %tile = vector.transfer_read %B[%start, %start], %none {in_bounds = [true, true]} : memref<8x6xvector<4xf32>>, vector<3x2x4xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %A[%i] : memref<8xvector<4xf32>>
    %v = vector.load %A[%i] : memref<8xvector<4xf32>>, vector<4xf32>
    affine.for %j = 0 to 6 {
      memref.store %x, %B[%i, %j] : memref<8x6xvector<4xf32>>
    }
  }
  return
}
