func.func @f(%n: index, %A: memref<?xf64>) {
  affine.parallel (%i) = (0) to (%n) {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  return
}
