// LLVM 11 and 12: named operations with operands in parentheses, on buffers.
func @named(%A: memref<?x8xf32>, %B: memref<8x8xf32>, %C: memref<?x8xf32>, %D: memref<?x8xf32>) {
  %zero = constant 0.0 : f32
  linalg.fill(%C, %zero) : memref<?x8xf32>, f32
  linalg.matmul(%A, %B, %C) : memref<?x8xf32>, memref<8x8xf32>, memref<?x8xf32>
  linalg.copy(%C, %D) : memref<?x8xf32>, memref<?x8xf32>
  return
}
