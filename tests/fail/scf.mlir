func.func @f(%n: index, %s: index, %F: memref<?xi1>, %A: memref<?xf64>, %B: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = scf.while (%i = %zero) : (index) -> index {
    %bound = memref.load %B[%i] : memref<?xindex>
    %more = arith.cmpi slt, %i, %bound : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  // No second error: the loop above has been reported.
  %x = memref.load %A[%last] : memref<?xf64>
  %halved = scf.while (%i = %n) : (index) -> index {
    %more = arith.cmpi sgt, %i, %one : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.shrsi %i, %one : index
    scf.yield %next : index
  }
  %away = scf.while (%i = %n) : (index) -> index {
    %more = arith.cmpi sgt, %i, %one : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  %found = scf.while (%i = %zero) : (index) -> index {
    %y = memref.load %A[%i] : memref<?xf64>
    %more = arith.cmpf ogt, %y, %y : f64
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  scf.for %i = %zero to %n step %s {
    %y = memref.load %A[%i] : memref<?xf64>
  }
  %down = arith.subi %zero, %one : index
  scf.for unsigned %i = %down to %n step %one {
    %y = memref.load %A[%i] : memref<?xf64>
  }
  %flag = memref.load %F[%zero] : memref<?xi1>
  scf.if %flag {
    %y = memref.load %A[%zero] : memref<?xf64>
  }
  %i = memref.load %A[%one] : memref<?xf64>
  %positive = arith.cmpf ogt, %i, %i : f64
  scf.if %positive {
    %square = arith.muli %n, %n : index
    %y = memref.load %A[%square] : memref<?xf64>
  }
  scf.forall (%k) = (0) to (%n) step (%s) {
    %y = memref.load %A[%k] : memref<?xf64>
  }
  return
}
