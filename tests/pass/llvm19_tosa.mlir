// LLVM 16 to 20: `tosa` whose shapes, permutations and shifts are attributes, or constants.
func.func @old(%x: tensor<4x6xf32>, %w: tensor<5x6xf32>, %image: tensor<1x6x6x2xf32>, %filter: tensor<3x3x3x2xf32>, %bias: tensor<3xf32>) -> (tensor<1x4x5xf32>, tensor<1x2x2x3xf32>) {
  %order = "tosa.const"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %t = tosa.transpose %w, %order : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<6x5xf32>
  %a = tosa.reshape %x {new_shape = array<i64: 1, 4, 6>} : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
  %b = "tosa.reshape"(%t) {new_shape = [1, 6, 5]} : (tensor<6x5xf32>) -> tensor<1x6x5xf32>
  %p = "tosa.matmul"(%a, %b) : (tensor<1x4x6xf32>, tensor<1x6x5xf32>) -> tensor<1x4x5xf32>
  %q = tosa.mul %p, %p {shift = 0 : i8} : (tensor<1x4x5xf32>, tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %r = tosa.clamp %q {max_fp = 6.0 : f32, max_int = 6 : i64, min_fp = 0.0 : f32, min_int = 0 : i64} : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %c = "tosa.conv2d"(%image, %filter, %bias) {dilation = [1, 1], pad = [0, 0, 0, 0], stride = [1, 1]} : (tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %m = "tosa.max_pool2d"(%c) {kernel = [2, 2], pad = [0, 0, 0, 0], stride = [2, 2]} : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  return %r, %m : tensor<1x4x5xf32>, tensor<1x2x2x3xf32>
}
