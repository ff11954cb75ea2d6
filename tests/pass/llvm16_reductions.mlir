// LLVM 12 to 17: minima and maxima of floats were `minf` and `maxf` everywhere.
func.func @reductions(%A: memref<?xf32>, %m: memref<1xf32>, %n: index) {
  %r = affine.parallel (%i) = (0) to (%n) reduce ("maxf") -> (f32) {
    %x = affine.load %A[%i] : memref<?xf32>
    affine.yield %x : f32
  }
  affine.store %r, %m[0] : memref<1xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf32>
    %c0 = arith.constant 0 : index
    %y = memref.atomic_rmw maxf %x, %m[%c0] : (f32, memref<1xf32>) -> f32
  }
  return
}
