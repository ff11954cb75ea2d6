// Elements of 8 and of 4 bytes: b counts the larger ones.
func.func @elements(%A: memref<?xf64>, %B: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = affine.load %B[%i] : memref<?xf32>
  }
  return
}
