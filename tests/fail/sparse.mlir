// A sparse tensor is not a dense one.
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @spmv(%A: tensor<512x512xf64, #CSR>, %x: tensor<512xf64>, %y: tensor<512xf64>) -> tensor<512xf64> {
  %0 = linalg.matvec ins(%A, %x : tensor<512x512xf64, #CSR>, tensor<512xf64>) outs(%y : tensor<512xf64>) -> tensor<512xf64>
  return %0 : tensor<512xf64>
}
