func.func @f(%A: memref<?x?xf32, strided<[?, ?], offset: ?>>, %windows: memref<?x?x5xf32, strided<[?, 1, 1]>>,
    %same: memref<?x?xf32, strided<[?, 0]>>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %y = affine.load %windows[0, %i, 1] : memref<?x?x5xf32, strided<[?, 1, 1]>>
    %z = affine.load %same[%i, %i] : memref<?x?xf32, strided<[?, 0]>>
  }
  return
}
