// A ring of three elements.
func.func @ring(%B: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %B[%i mod 3] : memref<?xf64>
  }
  return
}
