// What cannot be bufferized is said at its place.
func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tosa.custom %t {domain_name = "d", implementation_attrs = "", operator_name = "o"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
