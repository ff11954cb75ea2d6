// Subscripts that are values, but not affine ones.
func.func @f(%n: index, %flag: i1, %A: memref<?xf64>) {
  %two = arith.constant 2 : index
  %zero = arith.constant 0 : index
  %count = affine.for %i = 0 to %n iter_args(%carried = %zero) -> index {
    %a = memref.load %A[%carried] : memref<?xf64>
    %smaller = affine.min affine_map<(d0)[s0] -> (d0, s0 - 1)>(%i)[%n]
    %b = memref.load %A[%smaller] : memref<?xf64>
    %half = arith.divsi %i, %two : index
    %c = memref.load %A[%half] : memref<?xf64>
    %chosen = arith.select %flag, %i, %zero : index
    %d = memref.load %A[%chosen] : memref<?xf64>
    %masked = arith.andi %i, %two : index
    %e = memref.load %A[%masked] : memref<?xf64>
    %by_n = arith.floordivsi %i, %n : index
    %f = memref.load %A[%by_n] : memref<?xf64>
    %next = arith.addi %carried, %i : index
    affine.yield %next : index
  }
  %g = memref.load %A[%count] : memref<?xf64>
  return
}
