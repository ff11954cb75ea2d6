// LLVM 14 to 20: vector operations in older syntax.
func.func @vectors(%A: memref<?xf32>, %r: memref<?xf32>, %x: f32, %n: index) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %n step 4 {
    %v = affine.vector_load %A[%i] : memref<?xf32>, vector<4xf32>
    %s = vector.splat %x : vector<4xf32>
    %p = arith.mulf %v, %s : vector<4xf32>
    %0 = vector.reduction "add", %p : vector<4xf32> into f32
    %1 = vector.reduction <maxf>, %p : vector<4xf32> into f32
    %2 = vector.extract %p[2] : vector<4xf32>
    %3 = vector.extractelement %p[%c1 : index] : vector<4xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    affine.store %6, %r[%i floordiv 4] : memref<?xf32>
  }
  return
}
