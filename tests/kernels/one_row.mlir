// Reads one row of a matrix; how many rows there are makes no difference.
func.func @one_row(%m: index, %n: index, %A: memref<?x?xf64>) {
  affine.for %j = 0 to %n {
    %a = affine.load %A[0, %j] : memref<?x?xf64>
  }
  return
}
