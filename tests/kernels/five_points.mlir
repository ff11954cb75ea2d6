// A stencil over the interior of an n x m array: each point is computed from its four neighbours.
func.func @five_points(%n: index, %m: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
    affine.for %j = 1 to affine_map<()[m] -> (m - 1)>()[%m] {
      %north = affine.load %A[%i - 1, %j] : memref<?x?xf64>
      %south = affine.load %A[%i + 1, %j] : memref<?x?xf64>
      %west = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %east = affine.load %A[%i, %j + 1] : memref<?x?xf64>
      %vertical = arith.addf %north, %south : f64
      %horizontal = arith.addf %west, %east : f64
      %sum = arith.addf %vertical, %horizontal : f64
      affine.store %sum, %B[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
