// `scf.while` that counts: up, down, in steps, to a bound that is included, with a test behind the body.
func.func @whiles(%A: memref<?xf64>, %n: i32, %x: f64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %true = arith.constant true
  %m = arith.index_cast %n : i32 to index
  // for (i = 0; i < n; i++)
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %go = arith.cmpi slt, %i, %n : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.index_cast %j : i32 to index
    memref.store %x, %A[%k] : memref<?xf64>
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
  // It ends at n.
  %end = arith.index_cast %last : i32 to index
  memref.store %x, %A[%end] : memref<?xf64>
  // for (i = n; i >= 1; i -= 3), and a second counter
  %r:2 = scf.while (%i = %n, %s = %c0) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi sge, %i, %c1 : i32
    scf.condition(%go) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %k = arith.index_cast %i : i32 to index
    %l = arith.index_cast %s : i32 to index
    %y = memref.load %A[%l] : memref<?xf64>
    memref.store %y, %A[%k] : memref<?xf64>
    %next = arith.subi %i, %c3 : i32
    %t = arith.addi %s, %c1 : i32
    scf.yield %next, %t : i32, i32
  }
  // do { … } while (++i != n), n at least 1
  %d = scf.while (%i = %c0) : (i32) -> i32 {
    %k = arith.index_cast %i : i32 to index
    %y = memref.load %A[%k] : memref<?xf64>
    %next = arith.addi %i, %c1 : i32
    %stop = arith.cmpi eq, %next, %n : i32
    %go = arith.xori %stop, %true : i1
    scf.condition(%go) %next : i32
  } do {
  ^bb0(%j: i32):
    scf.yield %j : i32
  }
  // What is tested is loaded before it is known whether the loop goes on.
  %e = scf.while (%i = %c1) : (i32) -> i32 {
    %k = arith.index_cast %i : i32 to index
    %y = memref.load %A[%k] : memref<?xf64>
    %go = arith.cmpi sle, %i, %n : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.index_cast %j : i32 to index
    memref.store %x, %A[%k] : memref<?xf64>
    %next = arith.addi %j, %c3 : i32
    scf.yield %next : i32
  }
  return
}
