// LLVM 13: `ins` and `outs`, but `linalg.fill` with its operands in parentheses, the value first.
func @fill(%A: memref<?x8xf32>, %B: memref<8x8xf32>, %C: memref<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill(%zero, %C) : f32, memref<?x8xf32>
  linalg.matmul ins(%A, %B : memref<?x8xf32>, memref<8x8xf32>) outs(%C : memref<?x8xf32>)
  return
}
