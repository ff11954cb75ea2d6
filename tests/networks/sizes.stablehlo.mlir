// A size that the network computes.
func.func @sizes(%x: tensor<?x6xf32>, %b: tensor<6xf32>) -> tensor<?x6xf32> {
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<6> : tensor<1xi32>
  %e = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %e, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [1] : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x6xf32>
  %z = stablehlo.add %x, %y : tensor<?x6xf32>
  return %z : tensor<?x6xf32>
}
