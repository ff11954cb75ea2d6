// OPTIONS: --function kernel_gem
func.func @kernel_gemm(%A: memref<4xf64>) {
  return
}
func.func @main() {
  return
}
