// LLVM 12: convolutions with the names of their operands.
func @convolutions(%I: memref<1x10x10x3xf32>, %F: memref<3x3x3x4xf32>, %O: memref<1x8x8x4xf32>) {
  linalg.conv_2d_input_nhwc_filter_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %F : memref<1x10x10x3xf32>, memref<3x3x3x4xf32>) outs(%O : memref<1x8x8x4xf32>)
  return
}
