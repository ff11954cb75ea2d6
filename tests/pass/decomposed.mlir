// Operations that MLIR has no pass for are written as others by its transform dialect, as the hint of their refusal says.
// OPTIONS: --passes 'transform-interpreter'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %module : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
    %pack = transform.structured.match ops{["linalg.pack"]} in %module : (!transform.any_op) -> !transform.op<"linalg.pack">
    %pad, %expand, %transpose = transform.structured.lower_pack %pack : (!transform.op<"linalg.pack">)
        -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %unpack = transform.structured.match ops{["linalg.unpack"]} in %module : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %empty, %turn, %collapse, %slice = transform.structured.lower_unpack %unpack : (!transform.op<"linalg.unpack">)
        -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
            !transform.op<"tensor.extract_slice">)
    transform.yield
  }
  func.func @parts(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %a: tensor<8x6xf32>, %tiles: tensor<2x3x4x2xf32>, %b: tensor<8x6xf32>)
      -> (tensor<4x8xf32>, tensor<8x6xf32>) {
    %s = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
    %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %tiles : tensor<8x6xf32> -> tensor<2x3x4x2xf32>
    %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %b : tensor<2x3x4x2xf32> -> tensor<8x6xf32>
    return %s, %u : tensor<4x8xf32>, tensor<8x6xf32>
  }
}
