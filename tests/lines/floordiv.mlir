// Each element of B twice in a row.
func.func @halves(%B: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %B[%i floordiv 2] : memref<?xf64>
  }
  return
}
