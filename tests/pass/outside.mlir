// Accesses that leave an array of constant extents, before and behind it. They are counted, and said.
func.func @outside(%A: memref<8xf64>, %B: memref<8x8xf64>, %n: index) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i + 1] : memref<8xf64>
    %b = affine.load %A[%i - 1] : memref<8xf64>
    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
      %c = affine.load %A[%i - 1] : memref<8xf64>
    }
    affine.for %j = 0 to 8 step 7 {
      %d = affine.load %B[%i, %j] : memref<8x8xf64>
    }
    affine.for %j = 0 to %n {
      %e = affine.load %B[%i, %j] : memref<8x8xf64>
    }
  }
  return
}
