// How the elements of a tensor are stored is what its encoding says, also for passes that would leave that out.
// OPTIONS: --function spmv --passes 'one-shot-bufferize{bufferize-function-boundaries}'
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func private @scaled(%x: tensor<64xf64, #other.layout<8>>) -> tensor<64xf64, #other.layout<8>> {
  return %x : tensor<64xf64, #other.layout<8>>
}
func.func @spmv(%A: tensor<512x64xf64, #CSR>, %x: tensor<64xf64, #other.layout<8>>, %y: tensor<512xf64>) -> tensor<512xf64> {
  %s = call @scaled(%x) : (tensor<64xf64, #other.layout<8>>) -> tensor<64xf64, #other.layout<8>>
  return %y : tensor<512xf64>
}
