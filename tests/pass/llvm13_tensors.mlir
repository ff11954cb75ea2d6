// LLVM 12 to 15: tensors with `linalg.init_tensor`, `subtensor` and a result in the signature.
func @tensors(%A: tensor<?x8xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = constant 0 : index
  %zero = constant 0.0 : f32
  %m = dim %A, %c0 : tensor<?x8xf32>
  %0 = linalg.init_tensor [%m, 4] : tensor<?x4xf32>
  %1 = linalg.fill(%zero, %0) : f32, tensor<?x4xf32> -> tensor<?x4xf32>
  %2 = subtensor %A[0, 2] [%m, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x4xf32>) outs(%1 : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %x = mulf %a, %a : f32
    linalg.yield %x : f32
  } -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}
