// Vectors: the accesses of their elements, in row-major order.
func.func @vectors(%n: index, %A: memref<?x?xf64>, %B: memref<64xf32>, %V: memref<?xvector<4xf64>>) {
  affine.for %i = 0 to %n step 2 {
    %x = affine.vector_load %A[%i, %i + 1] : memref<?x?xf64>, vector<2x2xf64>
    affine.vector_store %x, %A[%i, 0] : memref<?x?xf64>, vector<2x2xf64>
    %row = affine.vector_load %A[%i, 8] : memref<?x?xf64>, vector<3xf64>
    %y = vector.load %B[%i] : memref<64xf32>, vector<2xf32>
    %half = memref.subview %B[0] [32] [2] : memref<64xf32> to memref<32xf32, strided<[2]>>
    %z = memref.load %half[%i] : memref<32xf32, strided<[2]>>
    %element = vector.load %V[%i] : memref<?xvector<4xf64>>, vector<4xf64>
    vector.store %element, %V[%i] : memref<?xvector<4xf64>>, vector<4xf64>
  }
  return
}
