// Subscripts that are values, but not affine ones.
func.func @f(%n: index, %F: memref<?xi1>, %A: memref<?xf64>) {
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %zero = arith.constant 0 : index
  %count = affine.for %i = -8 to %n iter_args(%carried = %zero) -> index {
    %a = memref.load %A[%carried] : memref<?xf64>
    %half = arith.divui %i, %two : index
    %c = memref.load %A[%half] : memref<?xf64>
    %flag = memref.load %F[%zero] : memref<?xi1>
    %chosen = arith.select %flag, %i, %zero : index
    %d = memref.load %A[%chosen] : memref<?xf64>
    %masked = arith.andi %i, %five : index
    %e = memref.load %A[%masked] : memref<?xf64>
    %by_n = arith.floordivsi %i, %n : index
    %f = memref.load %A[%by_n] : memref<?xf64>
    %bits = math.ctpop %i : index
    %h = memref.load %A[%bits] : memref<?xf64>
    %next = arith.addi %carried, %i : index
    affine.yield %next : index
  }
  %g = memref.load %A[%count] : memref<?xf64>
  return
}
