// OPTIONS: --function both
// What `scf.while` leaves behind: counters, values from outside, and the exits of loops that tests lead out of.
func.func @results(%n: index, %m: index, %A: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:3 = scf.while (%i = %c1, %j = %c0) : (index, index) -> (index, index, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %j, %m : index, index, index
  } do {
  ^bb0(%i: index, %j: index, %k: index):
    %x = memref.load %A[%j] : memref<?xf64>
    %inext = arith.addi %i, %c1 : index
    %jnext = arith.addi %j, %c3 : index
    scf.yield %inext, %jnext : index, index
  }
  %x = memref.load %A[%r#0] : memref<?xf64>
  %y = memref.load %A[%r#1] : memref<?xf64>
  %z = memref.load %A[%r#2] : memref<?xf64>
  return
}
func.func @jumps(%n: index, %A: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %c1 : index, index)
^head(%i: index, %j: index):
  %more = arith.cmpi slt, %i, %n : index
  %twice = arith.addi %j, %j : index
  cf.cond_br %more, ^body, ^exit(%i : index)
^body:
  %x = memref.load %A[%i] : memref<?xf64>
  %inext = arith.addi %i, %c1 : index
  cf.br ^head(%inext, %j : index, index)
^exit(%last: index):
  %y = memref.load %A[%last] : memref<?xf64>
  return
}
func.func @both(%n: index, %m: index, %A: memref<?xf64>) {
  call @results(%n, %m, %A) : (index, index, memref<?xf64>) -> ()
  call @jumps(%n, %A) : (index, memref<?xf64>) -> ()
  return
}
