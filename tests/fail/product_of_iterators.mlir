func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %ij = arith.muli %i, %j : index
      %x = memref.load %A[%ij] : memref<?xf64>
    }
  }
  return
}
