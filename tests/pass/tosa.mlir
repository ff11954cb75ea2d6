// `tosa`, which becomes `linalg`, and with it loops.
func.func @layer(%x: tensor<3x5xf32>, %w: tensor<5x4xf32>, %bias: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %of_x = tosa.const_shape {values = dense<[1, 3, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %of_w = tosa.const_shape {values = dense<[1, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %of_y = tosa.const_shape {values = dense<[3, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %xs = tosa.reshape %x, %of_x : (tensor<3x5xf32>, !tosa.shape<3>) -> tensor<1x3x5xf32>
  %ws = tosa.reshape %w, %of_w : (tensor<5x4xf32>, !tosa.shape<3>) -> tensor<1x5x4xf32>
  %ys = tosa.matmul %xs, %ws, %zero, %zero
    : (tensor<1x3x5xf32>, tensor<1x5x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  %y = tosa.reshape %ys, %of_y : (tensor<1x3x4xf32>, !tosa.shape<2>) -> tensor<3x4xf32>
  %sum = tosa.add %y, %bias : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  return %sum : tensor<3x4xf32>
}
