func.func @f(%A: memref<?x?xf32, strided<[?, ?], offset: ?>>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
  return
}
