// A matrix in an array of rank 1: constant row lengths are affine.
func.func @linearised(%n: index, %A: memref<?xf64>, %B: memref<4096xf64>) {
  %sixty_four = arith.constant 64 : index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i * 64 + %j] : memref<?xf64>
      %row = arith.muli %i, %sixty_four : index
      %index = arith.addi %row, %j : index
      memref.store %x, %B[%index] : memref<4096xf64>
      affine.store %x, %A[(%j * 64 + %i) floordiv 2] : memref<?xf64>
    }
  }
  return
}
