// Shapes that a network computes: sizes are multiplied and divided again, and no array of integers is left.
func.func @computed_shapes(%x: tensor<?x6x4xf32> {symloc.dims = ["batch", "", ""]}) -> tensor<?x24xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i64
  %c2 = arith.constant 2 : i64
  %c24 = arith.constant 24 : i64
  %c8 = arith.constant 8 : i64
  %dim = tensor.dim %x, %c0 : tensor<?x6x4xf32>
  %batch = arith.index_cast %dim : index to i64
  // -1 in a shape: what is left of all elements.
  %all = arith.muli %batch, %c24 : i64
  %known = arith.muli %batch, %c8 : i64
  %rest = arith.divui %all, %known : i64
  %shape = tensor.from_elements %batch, %c2, %rest, %c4 : tensor<4xi64>
  %heads = tensor.reshape %x(%shape) : (tensor<?x6x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32>
  %rows = arith.index_cast %rest : i64 to index
  %empty = tensor.empty(%dim, %rows) : tensor<?x?x2x4xf32>
  %turned = linalg.transpose ins(%heads : tensor<?x2x?x4xf32>) outs(%empty : tensor<?x?x2x4xf32>) permutation = [0, 2, 1, 3]
  %flat = tensor.from_elements %batch, %c24 : tensor<2xi64>
  %joined = tensor.reshape %turned(%flat) : (tensor<?x?x2x4xf32>, tensor<2xi64>) -> tensor<?x24xf32>
  %out = tensor.empty(%dim) : tensor<?x24xf32>
  %y = linalg.exp ins(%joined : tensor<?x24xf32>) outs(%out : tensor<?x24xf32>) -> tensor<?x24xf32>
  return %y : tensor<?x24xf32>
}
