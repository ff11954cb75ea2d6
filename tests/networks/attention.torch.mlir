// Attention in the form that PyTorch's exporter prints: causal, then with a mask.
module {
  func.func @main(%arg0: !torch.vtensor<[?,2,?,4],f32>, %arg1: !torch.vtensor<[?,1,?,?],f32>) -> !torch.vtensor<[?,2,?,4],f32> attributes {torch.assume_strict_symbolic_shapes} {
    %0 = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
    %1 = torch.symbolic_int "s1" {min_val = 2, max_val = 64} : !torch.int
    torch.bind_symbolic_shape %arg0, [%0, %1], affine_map<()[s0, s1] -> (s0, 2, s1, 4)> : !torch.vtensor<[?,2,?,4],f32>
    torch.bind_symbolic_shape %arg1, [%0, %1], affine_map<()[s0, s1] -> (s0, 1, s1, s1)> : !torch.vtensor<[?,1,?,?],f32>
    %none = torch.constant.none
    %float0 = torch.constant.float 0.000000e+00
    %true = torch.constant.bool true
    %false = torch.constant.bool false
    %2 = torch.aten.scaled_dot_product_attention %arg0, %arg0, %arg0, %none, %float0, %true, %none, %false : !torch.vtensor<[?,2,?,4],f32>, !torch.vtensor<[?,2,?,4],f32>, !torch.vtensor<[?,2,?,4],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[?,2,?,4],f32>
    %float2 = torch.constant.float 2.500000e-01
    %3 = torch.aten.scaled_dot_product_attention %2, %2, %2, %arg1, %float0, %false, %float2, %false : !torch.vtensor<[?,2,?,4],f32>, !torch.vtensor<[?,2,?,4],f32>, !torch.vtensor<[?,2,?,4],f32>, !torch.vtensor<[?,1,?,?],f32>, !torch.float, !torch.bool, !torch.float, !torch.bool -> !torch.vtensor<[?,2,?,4],f32>
    return %3 : !torch.vtensor<[?,2,?,4],f32>
  }
}
