// The program has a parameter b of its own.
func.func @blocks(%A: memref<?xf64>, %b: index) {
  affine.for %i = 0 to %b {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  return
}
