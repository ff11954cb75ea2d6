// LLVM 14 to 17: what front ends for networks printed; floats have `arith.maxf`.
#map = affine_map<(d0, d1) -> (d0, d1)>
module attributes {torch.debug_module_name = "Net"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<1x2x4x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<1x2x8x8xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %4 = linalg.map { arith.maxf } ins(%3, %3 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) outs(%0 : tensor<1x2x4x4xf32>)
    return %4 : tensor<1x2x4x4xf32>
  }
}
