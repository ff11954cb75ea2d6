// Minimum, maximum and selection in subscripts: one access for each case, unless the bounds of the loops decide.
func.func @min_max(%n: index, %A: memref<?x?xf64>) {
  %last = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
  %zero = arith.constant 0 : index
  affine.for %i = 0 to %n {
    %next = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0 - 1)>(%i)[%n]
    %previous = affine.max affine_map<(d0) -> (d0 - 1, 0)>(%i)
    %x = memref.load %A[%next, %previous] : memref<?x?xf64>
    %same = arith.minsi %i, %last : index
    %same_again = affine.max affine_map<(d0) -> (d0, 0, -7)>(%same)
    memref.store %x, %A[%same, %same_again] : memref<?x?xf64>
    %three = affine.min affine_map<(d0)[s0] -> (d0, s0 - d0, 10)>(%i)[%n]
    %y = memref.load %A[%three, %zero] : memref<?x?xf64>
    %c3 = arith.constant 3 : index
    %far = arith.cmpi sge, %next, %c3 : index
    scf.if %far {
      affine.store %y, %A[0, 0] : memref<?x?xf64>
    }
  }
  return
}
