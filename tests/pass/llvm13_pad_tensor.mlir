// LLVM 13: `linalg.pad_tensor`.
func @padded(%a: tensor<6x6xf32>) -> tensor<8x7xf32> {
  %zero = constant 0.0 : f32
  %0 = linalg.pad_tensor %a low[1, 0] high[1, 1] {
  ^bb0(%i: index, %j: index):
    linalg.yield %zero : f32
  } : tensor<6x6xf32> to tensor<8x7xf32>
  return %0 : tensor<8x7xf32>
}
