// Arrays whose elements are vectors: an element is one access.
func.func @packed(%A: memref<8xvector<4xf32>>, %B: memref<8x6xvector<4xf32>>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %A[%i] : memref<8xvector<4xf32>>
    %v = vector.load %A[%i] : memref<8xvector<4xf32>>, vector<4xf32>
    affine.for %j = 0 to 6 {
      memref.store %x, %B[%i, %j] : memref<8x6xvector<4xf32>>
    }
  }
  return
}
