// A shape that is an input.
func.func @data(%x: tensor<?xf32>, %shape: tensor<2xi32>) -> tensor<?x?xf32> {
  %y = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
