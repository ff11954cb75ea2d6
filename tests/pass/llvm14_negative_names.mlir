// LLVM 14: constants that are negative have a minus sign in the names of their values.
func @backwards(%n: index, %A: memref<?xi32>) {
  %c-3_i32 = arith.constant -3 : i32
  %c-1 = arith.constant -1 : index
  affine.for %i = 1 to %n {
    %0 = arith.muli %i, %c-1 : index
    %1 = arith.addi %0, %n : index
    memref.store %c-3_i32, %A[%1] : memref<?xi32>
  }
  return
}
