func.func @f(%n: index, %A: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %A[%i] : memref<?xf64>
  }
  %last = scf.while (%i = %zero) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  // No second error: the loop above has been reported.
  %x = memref.load %A[%last] : memref<?xf64>
  return
}
