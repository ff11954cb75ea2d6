// LLVM 12: `symbol(…)` of what is no symbol today, in subscripts and as operands of maps.
#shift = affine_map<()[s0] -> (0, s0 - 2)>
func @symbols(%n: index, %A: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.max #shift()[%i]
    %1 = load %A[%0] : memref<?xf32>
    affine.store %1, %A[symbol(%i) + 1] : memref<?xf32>
  }
  return
}
