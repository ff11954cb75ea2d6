// Every other row: a step, but not in a last subscript.
func.func @rows(%A: memref<?x?xf64>, %n: index) {
  affine.for %i = 0 to %n step 2 {
    affine.for %j = 0 to %n {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
