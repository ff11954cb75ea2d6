// A linear layer in the form that PyTorch's exporter prints: two sizes, of which the second belongs to both inputs.
module {
  func.func @main(%arg0: !torch.vtensor<[?,?,6],f32>, %arg1: !torch.vtensor<[?,8],f32>, %arg2: !torch.vtensor<[8,6],f32>) -> !torch.vtensor<[?,?,8],f32> attributes {torch.assume_strict_symbolic_shapes} {
    %0 = torch.symbolic_int "s0" {min_val = 2, max_val = 9223372036854775806} : !torch.int
    %1 = torch.symbolic_int "s1" {min_val = 2, max_val = 9223372036854775806} : !torch.int
    torch.bind_symbolic_shape %arg0, [%0, %1], affine_map<()[s0, s1] -> (s0, s1, 6)> : !torch.vtensor<[?,?,6],f32>
    torch.bind_symbolic_shape %arg1, [%1], affine_map<()[s0] -> (s0, 8)> : !torch.vtensor<[?,8],f32>
    %none = torch.constant.none
    %2 = torch.aten.linear %arg0, %arg2, %none : !torch.vtensor<[?,?,6],f32>, !torch.vtensor<[8,6],f32>, !torch.none -> !torch.vtensor<[?,?,8],f32>
    torch.bind_symbolic_shape %2, [%0, %1], affine_map<()[s0, s1] -> (s0, s1, 8)> : !torch.vtensor<[?,?,8],f32>
    %int1 = torch.constant.int 1
    %3 = torch.aten.add.Tensor %2, %arg1, %int1 : !torch.vtensor<[?,?,8],f32>, !torch.vtensor<[?,8],f32>, !torch.int -> !torch.vtensor<[?,?,8],f32>
    return %3 : !torch.vtensor<[?,?,8],f32>
  }
}
