// A matrix in an array of rank 1 with a row length that is a parameter.
func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x = affine.load %A[%i * symbol(%n) + %j] : memref<?xf64>
    }
  }
  return
}
