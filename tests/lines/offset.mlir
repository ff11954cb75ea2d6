// B is read 1000 elements further on.
func.func @offset(%B: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %B[%i] : memref<?xf64>
    %y = affine.load %B[%i + 1000] : memref<?xf64>
  }
  return
}
