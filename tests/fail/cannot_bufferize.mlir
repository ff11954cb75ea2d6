// What cannot be bufferized is said at its place.
func.func @f(%t: tensor<8xf64>) -> tensor<8xf64> {
  %0 = "test.unknown"(%t) : (tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}
