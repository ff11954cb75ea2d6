// Test suites put several modules into one file, with the same names in each.
// OPTIONS: --function read:13
#map = affine_map<(d0) -> (d0)>
func @read(%A: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i] : memref<4xf32>
  }
  return
}

// -----
#map = affine_map<(d0) -> (d0 + 1)>
func @read(%A: memref<9xf32>) {
  affine.for %i = 0 to 8 {
    %j = affine.apply #map(%i)
    %x = load %A[%j] : memref<9xf32>
  }
  return
}
