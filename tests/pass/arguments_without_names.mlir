// Arrays are called after the arguments that they are, whichever is accessed first, and others apart from them.
func.func @f(%arg0: memref<64xf32>, %arg1: memref<64xf32>, %arg2: index) {
  %0 = memref.alloc() : memref<64xf32>
  affine.for %i = 0 to %arg2 {
    %v = affine.load %0[%i] : memref<64xf32>
    affine.store %v, %arg1[%i] : memref<64xf32>
    affine.store %v, %arg0[%i] : memref<64xf32>
  }
  return
}
