// Every other element, by the loop's step.
func.func @steps(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n step 2 {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  return
}
