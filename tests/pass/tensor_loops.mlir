// Loops over tensors, slices and a convolution with a symbolic batch.
func.func @conv(%x: tensor<?x1x8x8xf32>, %k: tensor<4x1x3x3xf32>, %n: index) -> tensor<?x4x6x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x4x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>} ins(%x, %k : tensor<?x1x8x8xf32>, tensor<4x1x3x3xf32>) outs(%init : tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32>
  %z = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %y) -> (tensor<?x4x6x6xf32>) {
    %e = tensor.extract %t[%c0, %i, %c0, %c0] : tensor<?x4x6x6xf32>
    %u = tensor.insert %e into %t[%c0, %i, %c1, %c1] : tensor<?x4x6x6xf32>
    scf.yield %u : tensor<?x4x6x6xf32>
  }
  return %z : tensor<?x4x6x6xf32>
}
