// Valid syntax, but an iterator is no symbol.
func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %i {
      %x = affine.load %A[%j] : memref<?xf64>
    }
  }
  return
}
