// Every other element: how many of a line are touched depends on whether b is even.
func.func @every_other(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[2 * %i] : memref<?xf64>
  }
  return
}
