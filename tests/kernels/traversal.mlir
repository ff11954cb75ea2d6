// One traversal of a matrix.
func.func @traversal(%n: index, %A: memref<?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to %n iter_args(%outer = %zero) -> f64 {
    %row = affine.for %j = 0 to %n iter_args(%inner = %outer) -> f64 {
      %element = affine.load %A[%i, %j] : memref<?x?xf64>
      %next = arith.addf %inner, %element : f64
      affine.yield %next : f64
    }
    affine.yield %row : f64
  }
  return %sum : f64
}
