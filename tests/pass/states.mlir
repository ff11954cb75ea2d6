// A loop that carries tensors which each iteration makes anew, as recurrent networks do: they are copied back.
func.func @states(%x: tensor<?x4xf32> {symloc.dims = ["steps", ""]}, %first: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tensor.dim %x, %c0 : tensor<?x4xf32>
  %all = tensor.empty(%steps) : tensor<?x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %outputs, %last = scf.for %t = %c0 to %steps step %c1 iter_args(%written = %all, %state = %first) -> (tensor<?x4xf32>, tensor<4xf32>) {
    %input = tensor.extract_slice %x[%t, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
    %sum = linalg.add ins(%input, %state : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %next = linalg.tanh ins(%sum : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %more = tensor.insert_slice %next into %written[%t, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>
    scf.yield %more, %next : tensor<?x4xf32>, tensor<4xf32>
  }
  return %outputs, %last : tensor<?x4xf32>, tensor<4xf32>
}
