// Loops and branches of `affine` that carry tensors: as those of `scf` do, through other loops and branches.
func.func @sums(%n: index, %a: tensor<64x32xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant 1.0 : f32
  %r = affine.for %i = 0 to 64 iter_args(%s = %o) -> tensor<64xf32> {
    %u = affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0, s0, 32)>(%i)[%n] iter_args(%t = %s) -> tensor<64xf32> {
      %x = tensor.extract %a[%i, %j] : tensor<64x32xf32>
      %y = tensor.extract %t[%i] : tensor<64xf32>
      %z = arith.addf %x, %y : f32
      %next = tensor.insert %z into %t[%i] : tensor<64xf32>
      affine.yield %next : tensor<64xf32>
    }
    %v = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> tensor<64xf32> {
      %w = tensor.insert %one into %u[%i] : tensor<64xf32>
      affine.yield %w : tensor<64xf32>
    } else {
      affine.yield %u : tensor<64xf32>
    }
    affine.yield %v : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
