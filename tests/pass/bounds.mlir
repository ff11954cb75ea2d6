// Tiled loops: steps, several bounds (a maximum below, a minimum above), bounds with iterators and divisions.
func.func @bounds(%n: index, %m: index, %A: memref<?x?xf64>) {
  affine.for %ii = 0 to %n step 32 {
    affine.for %i = max affine_map<(d0)[s0] -> (d0, s0 - 100, 3)>(%ii)[%m] to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%ii)[%n] {
      %x = affine.load %A[%i, %i] : memref<?x?xf64>
    }
  }
  affine.for %i = max affine_map<(d0)[s0] -> (d0 - 4, s0 ceildiv 2)>(%n)[%m] to min affine_map<()[s0, s1] -> (s0, 2 * s1 + 1)>()[%n, %m] step 3 {
    affine.for %j = 5 to affine_map<(d0) -> (d0 floordiv 4)>(%i) {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
