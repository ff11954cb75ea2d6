func.func @gather(%n: index, %A: memref<?xf64>, %where: memref<?xi32>) {
  affine.for %i = 0 to %n {
    %k = affine.load %where[%i] : memref<?xi32>
    %index = arith.index_cast %k : i32 to index
    %x = memref.load %A[%index] : memref<?xf64>
    affine.store %x, %A[%i] : memref<?xf64>
  }
  return
}
